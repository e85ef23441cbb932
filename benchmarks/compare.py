"""How long a check of the newest pinned sglang takes, beside ruff on the same tree.

usage: python benchmarks/compare.py [--pairs N] [--release R] [--write README.md]

The two commands of a pair run one after the other (A B A B ...) after one warm-up each, so that both
meet the same machine; a ratio is the median of the ratios within the pairs. Measure on an idle machine:
ruff uses all cores, so on a busy one it loses more. Prints a Markdown table.
Needs a POSIX system, and ruff and click in the environment of the Python that runs it.
"""

from __future__ import annotations

import argparse
import os
import platform
import shlex
import shutil
import statistics
import subprocess
import sys
import sysconfig
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import corpus  # noqa: E402

BEGIN, END = "<!-- benchmark: make bench -->", "<!-- end of benchmark -->"


@dataclass
class Command:
    """What is measured, and what came of it: seconds and peak bytes of every run."""

    shown: str
    words: list[str]
    exits: tuple[int, ...] = (0,)
    seconds: list[float] = field(default_factory=list)
    peaks: list[int] = field(default_factory=list)

    def run(self, folder: Path) -> None:
        """Run once; an exit code that is not expected ends the benchmark."""
        begin = time.perf_counter()
        with subprocess.Popen(
            self.words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.seconds.append(time.perf_counter() - begin)
        self.peaks.append(usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024))
        if process.returncode not in self.exits:
            sys.exit(f"{self.shown}: exit code {process.returncode}")


def measure(ours: Command, theirs: Command, pairs: int, folder: Path) -> None:
    """Run two commands in turn; the first pair warms up and does not count."""
    for _ in range(pairs + 1):
        for command in (ours, theirs):
            command.run(folder)
    for command in (ours, theirs):
        del command.seconds[0], command.peaks[0]


def rows(ours: Command, theirs: Command) -> list[str]:
    """The lines of the table for one pair of commands."""
    ratio = statistics.median(a / b for a, b in zip(ours.seconds, theirs.seconds, strict=True))
    return [row(ours, f"{ratio:.2f}"), row(theirs, "1")]


def row(command: Command, ratio: str) -> str:
    """Median, fastest to slowest, ratio, peak memory."""
    middle, low, high = statistics.median(command.seconds), min(command.seconds), max(command.seconds)
    peak = statistics.median(command.peaks) / 2**20
    return f"| `{command.shown}` | {middle:.3f} s | {low:.3f} to {high:.3f} s | {ratio} | {peak:.0f} MB |"


def table(release: str, pairs: int) -> str:
    """Measure, and put it in Markdown."""
    tree, load = corpus.tree(release), os.getloadavg()[0]
    check = command("ipc-lint check --no-cache .")
    ruff = command("ruff check --select F,B --no-cache .")
    version = command("ipc-lint --version")
    click = command('python -c "import click"')
    measure(check, ruff, pairs, tree)
    measure(version, click, 4 * pairs, tree)
    files = sum(1 for _ in tree.rglob("*.py"))
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    about = (
        f"sglang {release} ({files} files); Python {platform.python_version()}, {ruff_version()}; {machine}; "
        f"medians of {pairs} pairs ({4 * pairs} for the start), one warm-up before; "
        f"load average {load:.1f} at the start."
    )
    lines = [
        "| command | median | fastest to slowest | ratio | peak memory |",
        "|---|---:|---:|---:|---:|",
        *rows(check, ruff),
        *rows(version, click),
        "",
        about,
    ]
    return "\n".join(lines) + "\n"


def command(line: str) -> Command:
    """A command of the environment that this Python belongs to; 1 is no failure of a linter."""
    program, *rest = shlex.split(line)
    return Command(line, [script(program), *rest], (0, 1) if "check" in rest else (0,))


def script(program: str) -> str:
    """Where a program of this environment is."""
    found = (
        sys.executable if program == "python" else shutil.which(program, path=sysconfig.get_path("scripts"))
    )
    return found or sys.exit(f"{program} is not installed beside {sys.executable}")


def ruff_version() -> str:
    """What ruff says of itself."""
    done = subprocess.run([script("ruff"), "--version"], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def write(text: str, path: Path) -> None:
    """Put the table between the markers of a file."""
    old = path.read_text(encoding="utf-8")
    head, begin, rest = old.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end):
        sys.exit(f"{path}: no place marked for the table")
    path.write_text(f"{head}{begin}\n{text}{end}{tail}", encoding="utf-8")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    newest = max(corpus.SHA256, key=lambda release: [int(part) for part in release.split(".")])
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--release", choices=corpus.SHA256, default=newest)
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table into a file, too")
    options = parser.parse_args()
    text = table(options.release, options.pairs)
    print(text, end="")
    if options.write:
        write(text, options.write)


if __name__ == "__main__":
    main()
