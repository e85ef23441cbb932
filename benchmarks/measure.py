"""Run commands and note what they took; two commands in turn, so that both meet the same machine."""

from __future__ import annotations

import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from typing import Protocol

ONCE = Path(__file__).with_name("once.py")


class Failed(Exception):
    """What could not be installed or run, or did not end as it should, and why: in one line."""

    def __init__(self, what: str, why: str) -> None:
        super().__init__(f"{what}: {why}")
        self.what = what


class Source(Protocol):
    """Where a command comes from; its text is the name and version."""

    def programs(self) -> Path:
        """The folder of its programs; what is not there is installed first."""


@dataclass(frozen=True)
class Command:
    """A command as one would type it, and how to read what it prints.

    ``found`` matches the line of one finding or, if it has a group, the line that says how many there
    are. A command without it is no linter.
    """

    shown: str
    source: Source
    found: str | None = None

    @property
    def exits(self) -> tuple[int, ...]:
        """The exit codes that are no failure: a linter that finds something gives 1."""
        return (0,) if self.found is None else (0, 1)


@dataclass(frozen=True)
class Run:
    """What one run took: seconds, peak bytes, and how many findings it printed."""

    seconds: float
    peak: int
    findings: int | None = None


@dataclass(frozen=True)
class Comparison:
    """Two commands and how often to run them: so many pairs, after so many that do not count."""

    ours: Command
    theirs: Command
    pairs: int
    warm_ups: int = 1


@dataclass
class Measured:
    """The runs of a comparison that count, pair by pair."""

    comparison: Comparison
    ours: list[Run] = field(default_factory=list)
    theirs: list[Run] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        """How many times as long ours took: the median over the pairs."""
        pairs = zip(self.ours, self.theirs, strict=True)
        return statistics.median(ours.seconds / theirs.seconds for ours, theirs in pairs)


def measure(comparison: Comparison, folder: Path, variables: Mapping[str, str]) -> Measured:
    """Run the two in turn: A B A B, and so on."""
    comparison.theirs.source.programs()  # not between two runs
    measured = Measured(comparison)
    for number in range(comparison.warm_ups + comparison.pairs):
        ours = run(comparison.ours, folder, variables)
        theirs = run(comparison.theirs, folder, variables)
        if number >= comparison.warm_ups:
            measured.ours.append(ours)
            measured.theirs.append(theirs)
    return measured


def run(command: Command, folder: Path, variables: Mapping[str, str]) -> Run:
    """Run a command once in a folder, with the variables that its words use filled in."""
    words = [Template(word).substitute(variables) for word in shlex.split(command.shown)]
    path = os.pathsep.join([str(command.source.programs()), os.environ.get("PATH", os.defpath)])
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch, "output")
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(ONCE), str(output), *words],
            cwd=folder,
            env={**os.environ, **variables, "PATH": path},
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise Failed(command.shown, last_line(done.stderr))
        seconds, code, peak = done.stdout.split()
        if int(code) not in command.exits:
            raise Failed(command.shown, f"exit code {code}: {last_line(output.read_text(errors='replace'))}")
        return Run(float(seconds), int(peak), findings(command, output))


def findings(command: Command, output: Path) -> int | None:
    """How many findings a command printed; read by lines, since some print a lot."""
    if command.found is None:
        return None
    pattern = re.compile(command.found)
    with output.open(encoding="utf-8", errors="replace") as lines:
        matches = filter(None, map(pattern.search, lines))
        return sum(int(match[1]) if pattern.groups else 1 for match in matches)


def last_line(text: str) -> str:
    """The last line that is not empty: there a program says why it failed."""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "no reason given")
