"""The command line: options to Settings, the report to stdout, the rest to stderr, the exit code."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import IO, TYPE_CHECKING, Any, AnyStr, NamedTuple, TextIO, TypeVar

import click

from ipc_lint import __version__

if TYPE_CHECKING:
    from ipc_lint.model import Report
    from ipc_lint.settings import Settings
    from ipc_lint.stdin import Given

# As in report.RENDERERS and report.ROUTES, which take longer to load.
FORMATS = ("text", "concise", "json")
ROUTE_FORMATS = ("text", "json")
_Command = TypeVar("_Command", bound=Callable[..., Any])
CLEAN, FOUND, INCOMPLETE, INTERRUPTED = 0, 1, 2, 130


def _split(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """The values of an option that may be repeated and may hold commas."""
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


def _fields(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    names = _split(ctx, param, values)
    odd = [name for name in names if not name.isidentifier()]
    if odd:
        raise click.BadParameter(f"not the name of an attribute: {', '.join(odd)}")
    return names


def _rules(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Codes, prefixes of codes and names; an unknown one is a usage error."""
    wanted = _split(ctx, param, values)
    if not wanted:
        return ()
    from ipc_lint.rules import RULES

    unknown = [word for word in wanted if not any(word == r.name or r.code.startswith(word) for r in RULES)]
    if unknown:
        raise click.BadParameter(f"no such rule: {', '.join(unknown)} (see `ipc-lint rules`)")
    return wanted


def _list_option(
    flag: str, about: str, callback: Callable[..., object] = _split, metavar: str = "LIST"
) -> Callable[[_Command], _Command]:
    return click.option(flag, multiple=True, callback=callback, metavar=metavar, help=about)


def _looking(command: _Command) -> _Command:
    """What every command takes that looks at files: which, for what, and in which colours."""
    for option in (
        click.option(
            "--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True
        ),
        click.option("--no-respect-gitignore", is_flag=True, help="Check what git ignores, too."),
        click.option("--force-exclude", is_flag=True, help="Exclude even files that are named."),
        _list_option("--extend-exclude", "Patterns to pass over, besides the defaults."),
        _list_option("--exclude", "Patterns to pass over, in place of the defaults."),
        click.option("--no-preset", is_flag=True, help="Use no built-in knowledge of sglang."),
        _list_option("--field", "The attribute to follow; again for more.", _fields, "NAME"),
    ):
        command = option(command)
    return command


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ipc-lint", message="%(prog)s %(version)s")
def cli() -> None:
    """Find the places where a message loses its return address."""


@cli.command()
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--output-format", type=click.Choice(FORMATS), default="text", show_default=True)
@_list_option("--select", "Only these rules: codes, prefixes such as IPC1, or names.", _rules)
@_list_option("--ignore", "Not these rules.", _rules)
@_looking
@click.option("--fix", is_flag=True, help="Fix what can be fixed safely.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: the other fixes, too.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option(
    "--stdin-filename", type=click.Path(), metavar="FILE", help="Check standard input as if it were FILE."
)
@click.option("--statistics", is_flag=True, help="Count the findings of each rule instead of showing them.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 even if there are findings.")
@click.option("-v", "--verbose", is_flag=True, help="Say what became of every site.")
@click.option("-q", "--quiet", is_flag=True, help="No summary.")
def check(paths: tuple[str, ...], **options: Any) -> int:
    """Check files and folders (default: the current folder), or standard input (-).

    Exit code 0: clean. 1: findings. 2: something could not be checked.
    """
    begin = time.perf_counter()
    _no_contradiction(options)
    settings = _settings(options)
    given = _given(paths, options["stdin_filename"])
    done = _run((given.path,) if given else paths or (".",), settings, options, given)
    report = done.report
    if not options["diff"]:
        # What is fixed on its way through has standard output for itself.
        _show(done, options, sys.stderr if given and options["fix"] else sys.stdout)
    for problem in report.problems:
        _say(f"ipc-lint: {problem.path}: {problem.message}")
    if options["verbose"]:
        _say_sites(report)
    if not options["quiet"]:
        _say(_summary(report, time.perf_counter() - begin, done.fixed))
    if report.problems:
        return INCOMPLETE
    found = done.changes if options["diff"] else bool(report.findings)
    return FOUND if found and not options["exit_zero"] else CLEAN


@cli.command()
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--output-format", type=click.Choice(ROUTE_FORMATS), default="text", show_default=True)
@_looking
def routes(paths: tuple[str, ...], **options: Any) -> int:
    """Show every site of the field and what becomes of it (default: the current folder).

    Exit code 0, or 2: something could not be read.
    """
    from ipc_lint.engine import routes as run
    from ipc_lint.report import ROUTES

    settings = _settings(options)
    with _patterns_are_usage():
        report = run(paths or (".",), settings)
    _print(ROUTES[options["output_format"]](report, _coloured(options["color"], sys.stdout)))
    for problem in report.problems:
        _say(f"ipc-lint: {problem.path}: {problem.message}")
    if not report.sites and not report.problems:
        _say(_nothing(report))
    return INCOMPLETE if report.problems else CLEAN


def _given(paths: tuple[str, ...], filename: str | None) -> Given | None:
    """Standard input, if that is to be checked."""
    if filename is None and "-" not in paths:
        return None
    if paths not in ((), ("-",)):
        raise click.UsageError("standard input is checked alone: name no other path")
    if filename is not None and os.path.isdir(filename):
        raise click.UsageError(f"--stdin-filename names a folder: {filename}")
    from ipc_lint.stdin import read

    try:
        return read(filename or "-")
    except OSError as error:
        raise _BrokenStream(f"cannot read standard input: {error.strerror}") from None


class _Done(NamedTuple):
    """What a run came to; ``contents`` are those of files that are not what is on disk."""

    report: Report
    contents: Mapping[str, bytes]
    fixed: str = ""  # what the summary says of fixes
    changes: bool = False


def _run(paths: tuple[str, ...], settings: Settings, options: dict[str, Any], given: Given | None) -> _Done:
    """Check, and fix if that is asked for."""
    from ipc_lint.engine import check as run

    with _patterns_are_usage():
        if options["fix"] or options["diff"]:
            return _fix(lambda contents: run(paths, settings, contents=contents), options, given)
        contents = given.contents if given else {}
        report = run(paths, settings, record_sites=options["verbose"], contents=contents)
        return _Done(report, contents)


def _fix(check: Callable[[Any], Report], options: dict[str, Any], given: Given | None) -> _Done:
    """Fix in memory; then show the difference, or hand the new contents out."""
    from dataclasses import replace

    from ipc_lint.fix import apply, diff, write

    contents = given.contents if given else {}
    fixed = apply(check, unsafe=options["unsafe_fixes"], given=contents)
    contents |= {path: new for path, (_, new) in fixed.contents.items()}
    problems = []
    for path, (old, new) in sorted(fixed.contents.items()):
        name = os.path.relpath(path).replace(os.sep, "/")
        if options["diff"]:
            _write_bytes(diff(name, old, new))
        elif given is None:
            problem = write(path, old, new)
            problems += [] if problem is None else [replace(problem, path=name)]
    if given and not options["diff"]:
        _write_bytes(contents[given.path])
    report = replace(fixed.report, problems=(*fixed.report.problems, *problems))
    done = 0 if problems else fixed.count
    verb = "Would fix" if options["diff"] else "Fixed"
    said = f"{verb} {done} of {_count(fixed.count + len(report.findings), 'fault')}"
    if fixed.unsafe:
        said += f" ({fixed.unsafe} more with --unsafe-fixes)"
    return _Done(report, contents if given else {}, said, bool(fixed.contents))


@cli.command()
def rules() -> int:
    """List the rules."""
    from ipc_lint.rules import RULES

    width = max(len(rule.name) for rule in RULES)
    for rule in RULES:
        _print(f"{rule.code}  {rule.name:<{width}}  {_documentation(rule).splitlines()[0]}\n")
    return CLEAN


@cli.command()
@click.argument("code")
def explain(code: str) -> int:
    """Show the documentation of one rule, by code or name."""
    from ipc_lint.rules import RULES

    for rule in RULES:
        if code.upper() == rule.code or code == rule.name:
            _print(f"{rule.code} {rule.name}\n\n{_documentation(rule)}\n")
            return CLEAN
    raise click.UsageError(f"no such rule: {code} (see `ipc-lint rules`)")


def main() -> None:
    """Run the command line and exit: 130 when interrupted, 2 for bad usage or a bug of ours."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a file name or a source line may be beyond the locale
            stream.reconfigure(errors="backslashreplace")
    try:
        code = cli.main(prog_name="ipc-lint", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except Exception:  # not to be taken for exit code 1, "findings"
        import traceback

        traceback.print_exc()
        code = INCOMPLETE
    sys.exit(code)


def _settings(options: dict[str, Any]) -> Settings:
    from ipc_lint.settings import Settings

    if options["no_preset"] and not options["field"]:
        raise click.UsageError("--no-preset leaves nothing to look for: name a --field")
    default = Settings()
    return Settings(
        fields=options["field"],
        preset=None if options["no_preset"] else default.preset,
        select=options.get("select", ()),
        ignore=options.get("ignore", ()),
        exclude=options["exclude"] or default.exclude,
        extend_exclude=options["extend_exclude"],
        force_exclude=options["force_exclude"],
        respect_gitignore=not options["no_respect_gitignore"],
    )


def _no_contradiction(options: dict[str, Any]) -> None:
    if options["unsafe_fixes"] and not (options["fix"] or options["diff"]):
        raise click.UsageError("--unsafe-fixes goes with --fix or --diff")
    if options["verbose"] and (options["fix"] or options["diff"]):
        raise click.UsageError("--verbose goes with neither --fix nor --diff")
    if options["verbose"] and options["quiet"]:
        raise click.UsageError("--verbose and --quiet exclude each other")


@contextmanager
def _patterns_are_usage() -> Iterator[None]:
    """A pattern that is none is bad usage."""
    from ipc_lint.files.ignore import BadPattern

    try:
        yield
    except BadPattern as error:
        raise click.UsageError(f"not a pattern: {error}") from None


def _show(done: _Done, options: dict[str, Any], stream: TextIO | None) -> None:
    """The report; the statistics in its place, but never inside JSON."""
    from ipc_lint.report import RENDERERS

    kind = options["output_format"]
    if options["statistics"]:
        _write(sys.stderr if kind == "json" else stream, _statistics(done.report))
        if kind != "json":
            return
    lines = partial(_lines, done.contents)
    _write(stream, RENDERERS[kind](done.report, lines, _coloured(options["color"], stream)))


def _lines(contents: Mapping[str, bytes], path: str) -> list[str]:
    from ipc_lint.files.source import Source, Unreadable

    data = contents.get(os.path.abspath(path))
    try:
        source = Source.read(path) if data is None else Source(path, data)
        return [line.rstrip("\r\n") for line in source.lines]
    except Unreadable:
        return []


def _coloured(choice: str, stream: TextIO | None) -> bool:
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


def _statistics(report: Report) -> str:
    from collections import Counter

    counts = Counter((finding.code, finding.name) for finding in report.findings)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return "".join(f"{n:>5}  {code}  {name}\n" for (code, name), n in ranked)


def _summary(report: Report, seconds: float, fixed: str = "") -> str:
    from collections import Counter

    files = _count(report.files_checked, "file")
    missed = f"; {_count(len(report.problems), 'path')} could not be checked" if report.problems else ""
    if not report.files_checked and not report.problems:
        return _nothing(report)
    if fixed:
        return f"{fixed} in {files} ({seconds:.2f} s){missed}"
    if report.unknown_fields and not report.findings:
        return f"{_unknown(report)}{missed}"
    if not report.findings:
        return f"No lost addresses in {files} ({seconds:.2f} s){missed}"
    grades = Counter(finding.severity for finding in report.findings)
    split = ", ".join(_count(grades[kind], kind) for kind in ("error", "warning") if grades[kind])
    return f"Found {_count(len(report.findings), 'fault')} ({split}) in {files} ({seconds:.2f} s){missed}"


def _nothing(report: Report) -> str:
    """Why there is nothing to show."""
    if not report.files_checked:
        return "No Python files found"
    if report.unknown_fields:
        return _unknown(report)
    return f"No site of the field in {_count(report.files_checked, 'file')}"


def _unknown(report: Report) -> str:
    names, files = ", ".join(report.unknown_fields), _count(report.files_checked, "file")
    return f"Nothing to check: no class declares {names} in {files} (another field? --field NAME)"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _say_sites(report: Report) -> None:
    """What became of each site, on stderr, in order of place."""
    from ipc_lint.report.order import sites_of
    from ipc_lint.report.routes_text import described

    for site in sites_of(report):
        _say(f"{site.path}:{site.span.line}:{site.span.column} {described(site)}")


def _documentation(rule: type) -> str:
    import inspect

    return inspect.getdoc(rule) or ""


class _BrokenStream(click.ClickException):
    exit_code = INCOMPLETE


def _print(text: str) -> None:
    _write(sys.stdout, text)


def _say(text: str) -> None:
    _write(sys.stderr, text.rstrip("\n") + "\n")


def _write_bytes(data: bytes) -> None:
    """Bytes of files, whatever their encoding: a patch has to match them."""
    if sys.stdout is not None:
        sys.stdout.flush()
        _write(sys.stdout.buffer, data)


def _write(stream: IO[AnyStr] | None, data: AnyStr) -> None:
    """Write and flush. A reader that went away (``| head``) is no fault, and no reason to stop."""
    if stream is None:  # closed by whoever started us
        return
    try:
        stream.write(data)
        stream.flush()
    except OSError as error:
        # What is still buffered would fail once more when Python exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if not isinstance(error, BrokenPipeError):
            raise _BrokenStream(f"cannot write the report: {error.strerror}") from None
