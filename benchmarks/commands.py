"""Which commands are measured, beside which of ours, and how often."""

from __future__ import annotations

from pathlib import Path

from benchmarks.install import Peer, Present
from benchmarks.measure import Command, Comparison

RULES = Path(__file__).with_name("peers")
NAMED = "sglang/srt/managers/schedule_batch.py"

IPC_LINT = Present("ipc-lint")
FAULTS = r"^Found (\d+) fault"
CHECK = Command("ipc-lint check --no-cache .", IPC_LINT, FAULTS)
WARM = Command("ipc-lint check --cache-dir $CACHE/ipc-lint .", IPC_LINT, FAULTS)
ONE_FILE = Command(f"ipc-lint check --cache-dir $CACHE/ipc-lint {NAMED}", IPC_LINT, FAULTS)
VERSION = Command("ipc-lint --version", IPC_LINT)

RUFF = Present("ruff")
ERRORS = r"^Found (\d+) error"
RUFF_CHECK = Command("ruff check --select F,B --no-cache .", RUFF, ERRORS)
RUFF_WARM = Command("ruff check --select F,B --cache-dir $CACHE/ruff .", RUFF, ERRORS)
CLICK = Command('python -c "import click"', Present("click"))

# The options see to it that none of them passes over what ipc-lint reads (hidden folders, tests, files that
# take long), and that semgrep asks nobody in the network.
AST_GREP = Command(
    "ast-grep scan --rule $RULES/ast-grep.yml --no-ignore hidden .",
    Peer("ast-grep-cli", "0.51.1"),
    r"^Error: (\d+) error",
)
SEMGREP = Command(
    "semgrep scan --config $RULES/semgrep.yml --metrics off --disable-version-check --no-git-ignore"
    " --x-ignore-semgrepignore-files --timeout 0 .",
    Peer("semgrep", "1.185.0"),
    r"^Ran .*: (\d+) finding",
)
FIXIT = Command(
    "env PYTHONPATH=$RULES fixit --rules fixit_rules lint .",
    Peer("fixit", "2.2.1"),
    r"^\S+@\d+:\d+ IPC\d+: ",
)


def comparisons(pairs: int, fixit_runs: int) -> list[Comparison]:
    """All of them, those with the same command of ours together.

    The short commands run more often, since a moment's disturbance is much of them; fixit runs so often
    as is asked for and without a warm-up, since it takes minutes.
    """
    return [
        Comparison(CHECK, RUFF_CHECK, pairs),
        Comparison(CHECK, AST_GREP, pairs),
        Comparison(CHECK, SEMGREP, pairs),
        *([Comparison(CHECK, FIXIT, fixit_runs, warm_ups=0)] if fixit_runs else []),
        Comparison(WARM, RUFF_WARM, pairs),
        Comparison(ONE_FILE, CLICK, 4 * pairs),
        Comparison(VERSION, CLICK, 4 * pairs),
    ]


def variables(scratch: Path) -> dict[str, str]:
    """What the commands use, and where semgrep may write what it would write to the home folder."""
    return {
        "RULES": str(RULES),
        "CACHE": str(scratch / "cache"),
        "SEMGREP_SETTINGS_FILE": str(scratch / "semgrep.yml"),
        "SEMGREP_LOG_FILE": str(scratch / "semgrep.log"),
    }
