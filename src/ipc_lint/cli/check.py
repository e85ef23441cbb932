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
from ipc_lint.cli.options import (
    choosing,
    colouring,
    configs_of,
    crew_of,
    filled_option,
    looking,
    remembering,
    said_in_lines,
    some_paths,
)
from ipc_lint.cli.output import BrokenStream, coloured, output_file, say, say_problems, show_bytes, write
from ipc_lint.cli.progress import progress
from ipc_lint.cli.summary import fixes, statistics, summary

if TYPE_CHECKING:
    from ipc_lint.fix import Fixed
    from ipc_lint.model import Report, RuleDoc
    from ipc_lint.since import Since
    from ipc_lint.stdin import Given

# As in report.RENDERERS, which takes longer to load.
FORMATS = ("text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit")
_FOR_PEOPLE = ("text", "concise")
_ALL_ARE_FAULTS = ("github", "gitlab", "junit")  # these know nothing of what is silenced


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(), callback=some_paths)
@click.option("--output-format", type=click.Choice(FORMATS), default="text", show_default=True)
@filled_option("--output-file", "Write the report there.", type=click.Path(dir_okay=False))
@choosing
@looking
@remembering
@colouring
@click.option("--fix", is_flag=True, help="Fix what can be fixed safely.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: the other fixes, too.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option("--add-ignores", is_flag=True, help="Silence each finding by a comment.")
@click.option("--show-suppressed", is_flag=True, help="Show what comments silence, too.")
@filled_option("--baseline", "Known findings: only others count.")
@filled_option("--since", "Only what lines changed since this git revision touch.", "REV", click.STRING)
@filled_option("--stdin-filename", "Check standard input as if it were FILE.")
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
    given = _given(paths, options["stdin_filename"])
    done = _run((given.path,) if given else paths or (".",), options, given)
    report = done.report
    if not options["diff"]:
        _report(done, options, in_pipe=given is not None)
    say_problems(report)
    for entry in report.stale:
        say(f"ipc-lint: no longer found, but in the baseline: {entry}")
    if options["verbose"]:
        _say_everything(report)
    if not options["quiet"]:
        say(summary(report, time.perf_counter() - begin, done.fixed))
    if report.problems:
        return INCOMPLETE
    found = done.changes if options["diff"] else bool(report.findings)
    return FOUND if found and not options["exit_zero"] else CLEAN


def _edits(options: dict[str, Any]) -> bool:
    return bool(options["fix"] or options["add_ignores"])


def _no_contradiction(options: dict[str, Any]) -> None:
    if options["unsafe_fixes"] and not (options["fix"] or options["diff"]):
        raise click.UsageError("--unsafe-fixes goes with --fix or --diff")
    if options["fix"] and options["add_ignores"]:
        raise click.UsageError("--add-ignores silences what --fix would mend: one after the other")
    if options["verbose"] and (_edits(options) or options["diff"]):
        raise click.UsageError("--verbose goes with neither --fix, --add-ignores nor --diff")
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


def _run(paths: tuple[str, ...], options: dict[str, Any], given: Given | None) -> _Done:
    """Check, and fix if that is asked for."""
    from ipc_lint.engine import check as run

    with said_in_lines(), progress(quiet=options["quiet"]) as track, crew_of(options) as crew:
        settings, since = configs_of(options, paths), _since(options["since"], paths)
        contents = given.contents if given else {}
        look = partial(run, paths, settings, since=since, track=track, crew=crew)
        if not (_edits(options) or options["diff"]):
            return _Done(look(record_sites=options["verbose"], contents=contents), contents)
        from ipc_lint.fix import apply, silence

        def check(contents: Mapping[str, bytes]) -> Report:
            return look(contents=contents)

        if options["add_ignores"]:
            fixed = silence(check, given=contents)
        else:
            fixed = apply(check, unsafe=options["unsafe_fixes"], given=contents)
    return _hand_out(fixed, options, given)


def _since(revision: str | None, paths: tuple[str, ...]) -> Since | None:
    """The changes since a revision, known for every path that is asked for."""
    if revision is None:
        return None
    from ipc_lint.since import Since

    since = Since(revision)
    for path in paths:
        since.must_know(os.path.abspath(path))
    return since


def _hand_out(fixed: Fixed, options: dict[str, Any], given: Given | None) -> _Done:
    """Show the difference, or write the new contents."""
    from msgspec.structs import replace

    from ipc_lint.files.paths import shown
    from ipc_lint.fix import diff, write

    contents = given.contents if given else {}
    contents |= {path: new for path, (_, new) in fixed.contents.items()}
    problems = []
    for path, (old, new) in sorted(fixed.contents.items()):
        name = shown(path)
        if options["diff"]:
            show_bytes(diff(name, old, new))
        elif given is None:
            problem = write(path, old, new)
            problems += [] if problem is None else [replace(problem, path=name)]
    if given and not options["diff"]:
        show_bytes(contents[given.path])
    report = replace(fixed.report, problems=(*fixed.report.problems, *problems))
    said = fixes(fixed, len(problems), options)
    return _Done(report, contents if given else {}, said, bool(fixed.contents))


def _report(done: _Done, options: dict[str, Any], *, in_pipe: bool) -> None:
    """The report, to the file that was asked for or else to a stream."""
    file = options["output_file"]
    if file is None:
        # What is fixed on its way through has standard output for itself.
        _show(done, options, sys.stderr if in_pipe and _edits(options) else sys.stdout)
        return
    with output_file(file) as stream:
        _show(done, options, stream)


def _show(done: _Done, options: dict[str, Any], stream: TextIO | None) -> None:
    """The report; the statistics in its place, but never inside what a program reads."""
    from msgspec.structs import replace

    from ipc_lint.report import RENDERERS, Context

    kind = options["output_format"]
    if options["statistics"]:
        write(stream if kind in _FOR_PEOPLE else sys.stderr, statistics(done.report))
        if kind in _FOR_PEOPLE:
            return
    report = done.report
    if options["show_suppressed"] and kind not in _ALL_ARE_FAULTS:
        report = replace(report, findings=(*report.findings, *report.suppressed))
    context = Context(partial(_lines, done.contents), _docs, coloured(options["color"], stream))
    write(stream, RENDERERS[kind](report, context))


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
