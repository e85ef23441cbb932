"""The bar: on a terminal, after a while, and gone when the report comes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ipc_lint.track import untracked
from tests.project import run_check
from tests.server import PRESS
from tests.trees import write

pty = pytest.importorskip("pty", reason="no pseudo-terminals on this system")

ARGS = ["check", "--field", "reply_to", "--no-preset"]
IMPATIENT = "import sys; from ipc_lint.cli import main, progress; progress.PATIENCE = {}; main()"
SHOW_CURSOR = "\x1b[?25h"


def on_a_terminal(cwd: Path, patience: float, *args: str) -> tuple[int, str]:
    """Run with a terminal as stderr; the exit code and what it was sent."""
    master, slave = pty.openpty()
    command = [sys.executable, "-c", IMPATIENT.format(patience), *ARGS, *args]
    with subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=slave) as process:
        os.close(slave)
        sent = b""
        while True:
            try:
                sent += (part := os.read(master, 65536))
            except OSError:  # how Linux says that the other end is closed
                break
            if not part:
                break
    os.close(master)
    return process.returncode, sent.decode()


@pytest.fixture
def press(tmp_path: Path) -> Path:
    return write(tmp_path, {**PRESS, ".git/HEAD": ""})


def seen(sent: str) -> str:
    """What is left on the screen: a line that is cleared or begun anew is gone."""
    lines = sent.replace("\r\n", "\n").replace("\x1b[?25l", "").replace(SHOW_CURSOR, "").split("\n")
    return "\n".join(line.rpartition("\r")[2].removeprefix("\x1b[K") for line in lines)


def test_long_work_has_a_bar_that_is_gone_in_the_end(press: Path) -> None:
    code, sent = on_a_terminal(press, 0)
    assert code == 1
    for what in ("reading", "parsing", "locating"):
        assert f"{what}  [" in sent
    assert sent.rindex(SHOW_CURSOR) > sent.rindex("\x1b[?25l")
    assert seen(sent).startswith("Found 4 faults (4 errors), 5 files checked (")
    assert seen(sent).count("\n") == 1


@pytest.mark.parametrize("args", [["--diff"], ["--fix"], ["--verbose"], ["missing"]])
def test_whatever_else_is_said_stands_below(args: list[str], press: Path) -> None:
    _, sent = on_a_terminal(press, 0, *args, ".")
    assert "[" in sent
    assert "[" not in "".join(seen(sent).splitlines()[-1:])


def test_short_work_has_none(press: Path) -> None:
    _, sent = on_a_terminal(press, 999)
    assert sent.replace("\r\n", "\n") == seen(sent)
    assert sent.startswith("Found 4 faults")


def test_quiet_is_quiet(press: Path) -> None:
    assert on_a_terminal(press, 0, "--quiet") == (1, "")


def test_without_a_terminal_nobody_watches(press: Path) -> None:
    assert run_check(cwd=press).stderr.startswith("Found 4 faults")
    items = ["a", "b"]
    assert untracked("reading", items) is items
