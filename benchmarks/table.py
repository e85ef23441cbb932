"""What was measured, as a Markdown table, and the place in a file where it belongs."""

from __future__ import annotations

import itertools
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.measure import Command, Measured, Run

BEGIN, END = "<!-- benchmark: make bench -->", "<!-- end of benchmark -->"
HEAD = (
    "| command | runs | median | fastest to slowest | ratio | peak memory | findings |",
    "|---|---:|---:|---:|---:|---:|---:|",
)


def table(measured: Sequence[Measured], about: str) -> str:
    """One row a command: ours, then those that it was compared with."""
    return "\n".join([*HEAD, *rows(measured), "", about]) + "\n"


def rows(measured: Sequence[Measured]) -> Iterator[str]:
    """The rows; all runs of a command of ours that was compared with several are one row."""
    for ours, group in itertools.groupby(measured, key=lambda one: one.comparison.ours):
        compared = list(group)
        yield row(ours, [run for one in compared for run in one.ours], "1")
        for one in compared:
            yield row(one.comparison.theirs, one.theirs, f"{one.ratio:.3g}")


def row(command: Command, runs: Sequence[Run], ratio: str) -> str:
    """How many runs, their median, fastest to slowest, ratio, peak memory, findings."""
    seconds = [run.seconds for run in runs]
    cells = [
        f"`{command.shown}`",
        f"{len(runs)}",
        f"{statistics.median(seconds):.3f} s",
        f"{min(seconds):.3f} to {max(seconds):.3f} s",
        ratio,
        f"{statistics.median(run.peak for run in runs) / 2**20:.0f} MB",
        "" if runs[0].findings is None else f"{runs[0].findings}",
    ]
    return f"| {' | '.join(cells)} |"


def write(text: str, path: Path) -> None:
    """Put the table between the markers of a file."""
    old = path.read_text(encoding="utf-8")
    head, begin, rest = old.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end):
        sys.exit(f"{path}: no place marked for the table")
    path.write_text(f"{head}{begin}\n{text}{end}{tail}", encoding="utf-8")
