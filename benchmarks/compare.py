"""How long a check of the newest pinned sglang takes, beside other linters on the same tree.

usage: python benchmarks/compare.py [--pairs N] [--fixit-runs N] [--release R | --tree DIR] [--write FILE]

The two commands of a pair run one after the other (A B A B ...) after one warm-up each, so that both
meet the same machine; a ratio is the median of the ratios within the pairs. Measure on an idle machine:
who uses all cores loses more on a busy one. Prints a Markdown table.
Needs a POSIX system, and ruff and click in the environment of the Python that runs it. ast-grep, semgrep
and fixit are installed apart (`install.py`) and run the rules in `peers/`; one that cannot be is left out.
"""

from __future__ import annotations

import argparse
import compileall
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import ipc_lint
from benchmarks import commands
from benchmarks.measure import Comparison, Failed, Measured, measure
from benchmarks.table import table, write
from tests import corpus


def measure_all(comparisons: Sequence[Comparison], tree: Path) -> Iterator[Measured]:
    """Measure one after the other; what cannot be measured is said and left out, unless it is ours."""
    with tempfile.TemporaryDirectory() as scratch:
        variables = commands.variables(Path(scratch))
        for comparison in comparisons:
            print(f"{comparison.ours.shown}  |  {comparison.theirs.shown}", file=sys.stderr)
            try:
                yield measure(comparison, tree, variables)
            except Failed as failed:
                if failed.what == comparison.ours.shown:
                    sys.exit(str(failed))
                print(f"left out: {failed}", file=sys.stderr)


def about(name: str, tree: Path, measured: Sequence[Measured], load: float) -> str:
    """Where the figures come from and what they mean."""
    files = sum(1 for _ in tree.rglob("*.py"))
    compared = [(one.comparison.ours, one.comparison.theirs) for one in measured]
    sources = dict.fromkeys(str(command.source) for pair in compared for command in pair)
    return (
        f"{name} ({files} files); Python {platform.python_version()}, {', '.join(sources)}; "
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores; load average {load:.1f} at the "
        "start. Each command was run in turn with that of ipc-lint above it, after one warm-up of both "
        "(fixit, which takes minutes: none). Ratio: the time of ipc-lint divided by that of the command, "
        "the median over the pairs. Peak memory: of the largest process of a command; ipc-lint and fixit "
        "work in several. Findings: ruff's are those of its own rules; the other peers run the nearest to "
        "IPC001, IPC101 and IPC201 that can be said in theirs (`$RULES` is `benchmarks/peers`). `$CACHE` "
        "was filled by the warm-up."
    )


def options() -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    newest = max(corpus.SHA256, key=lambda release: [int(part) for part in release.split(".")])
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--fixit-runs", type=int, default=1, metavar="N", help="0 leaves fixit out")
    tree = parser.add_mutually_exclusive_group()
    tree.add_argument("--release", choices=corpus.SHA256, default=newest)
    tree.add_argument("--tree", type=Path, metavar="DIR", help="check this folder instead of a release")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table into a file, too")
    asked = parser.parse_args()
    if asked.pairs < 1 or asked.fixit_runs < 0:
        parser.error("at least one pair, and no fewer than no runs of fixit")
    return asked


def main() -> None:
    """Measure and print."""
    asked = options()
    # As pip does with what it installs; what it only links to may never have been compiled.
    compileall.compile_dir(Path(ipc_lint.__file__).parent, quiet=1)
    tree = asked.tree or corpus.tree(asked.release)
    name = asked.tree.resolve().name if asked.tree else f"sglang {asked.release}"
    comparisons = commands.comparisons(asked.pairs, asked.fixit_runs)
    if not (tree / commands.NAMED).is_file():
        print(f"left out: {commands.NAMED} is not in {tree}", file=sys.stderr)
        comparisons = [one for one in comparisons if one.ours is not commands.ONE_FILE]
    load = os.getloadavg()[0]
    measured = list(measure_all(comparisons, tree))
    text = table(measured, about(name, tree, measured, load))
    print(text, end="")
    if asked.write:
        write(text, asked.write)


if __name__ == "__main__":
    main()
