"""``ipc-lint check``."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import click

from ipc_lint.cli.exits import CLEAN, FOUND, INCOMPLETE
from ipc_lint.cli.options import known_rules, list_option, looking, patterns_are_usage, settings_of
from ipc_lint.cli.output import BrokenStream, coloured, output_file, say, say_problems, show_bytes, write
from ipc_lint.cli.progress import progress
from ipc_lint.cli.summary import count, statistics, summary

if TYPE_CHECKING:
    from ipc_lint.fix import Fixed
    from ipc_lint.model import Report, RuleDoc
    from ipc_lint.settings import Settings
    from ipc_lint.stdin import Given

# As in report.RENDERERS, which takes longer to load.
FORMATS = ("text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit")
_FOR_PEOPLE = ("text", "concise")


@click.command()
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--output-format", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option(
    "--output-file", type=click.Path(dir_okay=False), metavar="FILE", help="Write the report there."
)
@list_option("--select", "Only these rules: codes, prefixes such as IPC1, or names.", known_rules)
@list_option("--ignore", "Not these rules.", known_rules)
@looking
@click.option("--fix", is_flag=True, help="Fix what can be fixed safely.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: the other fixes, too.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option(
    "--stdin-filename", type=click.Path(), metavar="FILE", help="Check standard input as if it were FILE."
)
@click.option("--statistics", is_flag=True, help="Count the findings of each rule instead of showing them.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 even if there are findings.")
@click.option("-v", "--verbose", is_flag=True, help="Say what was inferred and what became of each site.")
@click.option("-q", "--quiet", is_flag=True, help="No summary.")
def check(paths: tuple[str, ...], **options: Any) -> int:
    """Check files and folders (default: the current folder), or standard input (-).

    Exit code 0: clean. 1: findings. 2: something could not be checked.
    """
    begin = time.perf_counter()
    _no_contradiction(options)
    settings = settings_of(options)
    given = _given(paths, options["stdin_filename"])
    done = _run((given.path,) if given else paths or (".",), settings, options, given)
    report = done.report
    if not options["diff"]:
        _report(done, options, in_pipe=given is not None)
    say_problems(report)
    if options["verbose"]:
        _say_everything(report)
    if not options["quiet"]:
        say(summary(report, time.perf_counter() - begin, done.fixed))
    if report.problems:
        return INCOMPLETE
    found = done.changes if options["diff"] else bool(report.findings)
    return FOUND if found and not options["exit_zero"] else CLEAN


def _no_contradiction(options: dict[str, Any]) -> None:
    if options["unsafe_fixes"] and not (options["fix"] or options["diff"]):
        raise click.UsageError("--unsafe-fixes goes with --fix or --diff")
    if options["verbose"] and (options["fix"] or options["diff"]):
        raise click.UsageError("--verbose goes with neither --fix nor --diff")
    if options["verbose"] and options["quiet"]:
        raise click.UsageError("--verbose and --quiet exclude each other")
    if options["output_file"] and options["diff"]:
        raise click.UsageError("--output-file is for the findings, which --diff does not show")


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
        raise BrokenStream(f"cannot read standard input: {error.strerror}") from None


class _Done(NamedTuple):
    """What a run came to; ``contents`` are those of files that are not what is on disk."""

    report: Report
    contents: Mapping[str, bytes]
    fixed: str = ""  # what the summary says of fixes
    changes: bool = False


def _run(paths: tuple[str, ...], settings: Settings, options: dict[str, Any], given: Given | None) -> _Done:
    """Check, and fix if that is asked for."""
    from ipc_lint.engine import check as run

    with patterns_are_usage(), progress(quiet=options["quiet"]) as track:
        contents = given.contents if given else {}
        if not (options["fix"] or options["diff"]):
            report = run(paths, settings, record_sites=options["verbose"], contents=contents, track=track)
            return _Done(report, contents)
        from ipc_lint.fix import apply

        fixed = apply(
            lambda contents: run(paths, settings, contents=contents, track=track),
            unsafe=options["unsafe_fixes"],
            given=contents,
        )
    return _hand_out(fixed, options, given)


def _hand_out(fixed: Fixed, options: dict[str, Any], given: Given | None) -> _Done:
    """Show the difference, or write the new contents."""
    from dataclasses import replace

    from ipc_lint.fix import diff, write

    contents = given.contents if given else {}
    contents |= {path: new for path, (_, new) in fixed.contents.items()}
    problems = []
    for path, (old, new) in sorted(fixed.contents.items()):
        name = os.path.relpath(path).replace(os.sep, "/")
        if options["diff"]:
            show_bytes(diff(name, old, new))
        elif given is None:
            problem = write(path, old, new)
            problems += [] if problem is None else [replace(problem, path=name)]
    if given and not options["diff"]:
        show_bytes(contents[given.path])
    report = replace(fixed.report, problems=(*fixed.report.problems, *problems))
    done = 0 if problems else fixed.count
    verb = "Would fix" if options["diff"] else "Fixed"
    said = f"{verb} {done} of {count(fixed.count + len(report.findings), 'fault')}"
    if fixed.unsafe:
        said += f" ({fixed.unsafe} more with --unsafe-fixes)"
    return _Done(report, contents if given else {}, said, bool(fixed.contents))


def _report(done: _Done, options: dict[str, Any], *, in_pipe: bool) -> None:
    """The report, to the file that was asked for or else to a stream."""
    file = options["output_file"]
    if file is None:
        # What is fixed on its way through has standard output for itself.
        _show(done, options, sys.stderr if in_pipe and options["fix"] else sys.stdout)
        return
    with output_file(file) as stream:
        _show(done, options, stream)


def _show(done: _Done, options: dict[str, Any], stream: TextIO | None) -> None:
    """The report; the statistics in its place, but never inside what a program reads."""
    from ipc_lint.report import RENDERERS, Context

    kind = options["output_format"]
    if options["statistics"]:
        write(stream if kind in _FOR_PEOPLE else sys.stderr, statistics(done.report))
        if kind in _FOR_PEOPLE:
            return
    context = Context(partial(_lines, done.contents), _docs, coloured(options["color"], stream))
    write(stream, RENDERERS[kind](done.report, context))


def _docs() -> Sequence[RuleDoc]:
    from ipc_lint.rules._documentation import documentation

    return documentation()


def _lines(contents: Mapping[str, bytes], path: str) -> list[str]:
    from ipc_lint.files.source import Source, Unreadable

    data = contents.get(os.path.abspath(path))
    try:
        source = Source.read(path) if data is None else Source(path, data)
        return [line.rstrip("\r\n") for line in source.lines]
    except Unreadable:
        return []


def _say_everything(report: Report) -> None:
    """What was inferred, what was passed over, what became of each site; on stderr."""
    from ipc_lint.report import details

    write(sys.stderr, details.render(report))
