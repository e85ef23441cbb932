"""``ipc-lint baseline`` and ``--baseline``: what is known is silent, what is new is not."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.project import codes_of_concise, run, run_check
from tests.server import ALONE, PRESS
from tests.trees import write

NAME = "ipc-lint-baseline.json"
ARGS = ("--field", "reply_to", "--no-preset")


@pytest.fixture
def press(tmp_path: Path) -> Path:
    """A checkout with one fault of each kind, and a baseline of them."""
    root = write(tmp_path / "checkout", {**PRESS, ".git/HEAD": ""})
    done = run("baseline", *ARGS, cwd=root)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"Wrote 4 findings to {NAME}\n"
    return root


def check(press: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """A check with the baseline; one line a finding."""
    return run_check("--baseline", NAME, "--output-format", "concise", *args, cwd=press)


def entries(press: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((press / NAME).read_text())["findings"]
    return found


def test_what_is_known_is_silent(press: Path) -> None:
    done = check(press)
    assert (done.returncode, done.stdout) == (0, "")
    assert "No new lost addresses in 5 files" in done.stderr
    assert done.stderr.endswith("; 4 in the baseline\n")


def test_the_file_is_the_same_from_everywhere_and_each_time(press: Path) -> None:
    text = (press / NAME).read_bytes()
    assert [(e["path"], e["code"]) for e in entries(press)] == [
        ("press/desk.py", "IPC001"),
        ("press/desk.py", "IPC101"),
        ("press/desk.py", "IPC102"),
        ("press/sender.py", "IPC201"),
    ]
    run("baseline", *ARGS, "--output", f"../{NAME}", "..", cwd=press / "press")
    assert (press / NAME).read_bytes() == text


def test_what_is_new_is_not_silent(press: Path) -> None:
    write(press, {"new.py": ALONE})
    done = check(press)
    assert done.returncode == 1
    assert codes_of_concise(done.stdout) == ["IPC001"]
    assert done.stdout.startswith("new.py:14:")


def test_moved_code_stays_silent(press: Path) -> None:
    desk = (press / "press/desk.py").read_text()
    write(press, {"press/desk.py": "# a\n# few\n# lines\n" + desk})
    assert check(press).stdout == ""
    (press / "press/desk.py").unlink()
    write(press, {"press/other/__init__.py": "", "press/other/counter.py": desk})
    done = check(press)
    assert (done.returncode, done.stdout) == (0, "")
    assert "no longer found" not in done.stderr


def test_a_renamed_file_with_its_classes_stays_silent(tmp_path: Path) -> None:
    write(tmp_path, {"old.py": ALONE})
    run("baseline", *ARGS, cwd=tmp_path)
    (tmp_path / "old.py").rename(tmp_path / "new.py")
    assert check(tmp_path).stdout == ""


def test_equal_ones_are_counted(tmp_path: Path) -> None:
    twice = ALONE + "    queue.append(Job(order.rid))  # IPC001\n"
    write(tmp_path, {"desk.py": twice})
    run("baseline", *ARGS, cwd=tmp_path)
    assert [entry["count"] for entry in entries(tmp_path)] == [2]
    assert check(tmp_path).returncode == 0
    write(tmp_path, {"desk.py": twice + "    queue.append(Job(order.rid))  # IPC001\n"})
    assert len(check(tmp_path).stdout.splitlines()) == 1


def test_what_was_mended_is_said_and_changes_nothing(press: Path) -> None:
    sender = (press / "press/sender.py").read_text()
    write(press, {"press/sender.py": sender.replace("isinstance(origin, Message)", "origin")})
    done = check(press)
    assert (done.returncode, done.stdout) == (0, "")
    assert "no longer found, but in the baseline: press/sender.py: IPC201 in Sender.send\n" in done.stderr


def test_what_was_not_looked_for_is_not_called_mended(press: Path) -> None:
    for args in (["press/plain.py"], ["--select", "IPC2"], ["press/desk.py"]):
        assert "no longer found" not in check(press, *args).stderr
    (press / "press/desk.py").unlink()
    assert "no longer found" not in check(press, "press/plain.py").stderr
    assert check(press).stderr.count("no longer found") == 4  # nobody proves the gate wrong any more


def test_known_faults_are_not_fixed(press: Path) -> None:
    before = (press / "press/desk.py").read_text()
    assert check(press, "--fix").returncode == 0
    assert (press / "press/desk.py").read_text() == before


def test_the_config_may_name_it(press: Path) -> None:
    (press / NAME).rename(press / "known.json")
    write(press, {"ipc-lint.toml": 'fields = ["reply_to"]\nbaseline = "known.json"\n'})
    for cwd, path in ((press, "."), (press / "press", ".."), (press, "press/desk.py")):
        done = run("check", path, cwd=cwd)
        assert (done.returncode, done.stdout) == (0, "")
    write(press, {"new.py": ALONE})
    assert run("baseline", "..", cwd=press / "press").stderr == "Wrote 5 findings to ../known.json\n"
    assert run("check", cwd=press).returncode == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, f"no baseline at {NAME} (`ipc-lint baseline` writes one)"),
        ("{", f"{NAME}: not JSON"),
        ("[]", f"{NAME}: not a baseline of version 1"),
        ('{"version": 2}', f"{NAME}: not a baseline of version 1"),
        ('{"version": 1}', f"{NAME}: not a baseline: see what `ipc-lint baseline` writes"),
        ('{"version": 1, "findings": [1]}', f"{NAME}: not a baseline: see what `ipc-lint baseline` writes"),
    ],
)
def test_a_baseline_that_is_none(text: str | None, message: str, tmp_path: Path) -> None:
    write(tmp_path, {"desk.py": ALONE} if text is None else {"desk.py": ALONE, NAME: text})
    done = check(tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"ipc-lint: {message}\n")


def test_no_baseline_is_written_of_what_can_not_be_read(tmp_path: Path) -> None:
    write(tmp_path, {"desk.py": ALONE, "bad.py": "reply_to = (\n"})
    done = run("baseline", *ARGS, cwd=tmp_path)
    assert done.returncode == 2
    assert "ipc-lint: bad.py: line 1" in done.stderr
    assert "no baseline is written" in done.stderr
    assert not (tmp_path / "ipc-lint-baseline.json").exists()


def test_a_baseline_that_can_not_be_written(tmp_path: Path) -> None:
    done = run("baseline", *ARGS, "--output", "no/where.json", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("ipc-lint: no/where.json: cannot be written: ")
