"""What the command line writes, shows and refuses."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from ipc_lint.fix import write as write_fixed
from tests.project import run_check
from tests.server import PRESS
from tests.trees import files_of, write

MODEL = """\
class Message:
    rid: str | None = None
    reply_to: str | None = None


class Order(Message):
    text: str = ""


class Abort(Message):
    pass


class Job:
    def __init__(self, rid, text="", reply_to=None):
        self.rid = rid
        self.text = text
        self.reply_to = reply_to


class Sender:
    def __init__(self, socket):
        self.socket = socket

    def send(self, output: Message, origin=None):
        if origin is not None and output.reply_to is None:
            output.reply_to = origin.reply_to
        self.socket.send_pyobj(output)
"""

HEAD = "from model import Abort, Job, Order, Sender\n\n\n"
DESK = HEAD + "def admit(order: Order, queue):\n    queue.append(Job(order.rid, order.text))\n"
FIXED = DESK.replace("order.text)", "order.text, reply_to=order.reply_to)")
UNSAFE = HEAD + "def admit(orders, queue):\n    queue.extend([Job(order.rid) for order in orders])\n"


def project(root: Path, **files: str | bytes) -> Path:
    """A project whose carriers are in ``model.py``."""
    named = {f"{name}.py": text for name, text in files.items()}
    return write(root, {"pyproject.toml": "", "model.py": MODEL, **named})


def contents(root: Path) -> dict[str, bytes]:
    """Every file below a folder but for what is remembered."""
    return {str(path.relative_to(root)): path.read_bytes() for path in files_of(root)}


def test_fix_writes_and_exits_0_when_nothing_is_left(tmp_path: Path) -> None:
    before = contents(project(tmp_path, desk=DESK))
    done = run_check("--fix", ".", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert "Fixed 1 of 1 fault" in done.stderr
    assert contents(tmp_path) == {**before, "desk.py": FIXED.encode()}


def test_fix_exits_1_and_shows_what_is_left(tmp_path: Path) -> None:
    before = contents(write(tmp_path, {"pyproject.toml": "", **PRESS}))
    done = run_check("--fix", "--output-format", "concise", ".", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert [line.split()[1] for line in done.stdout.splitlines()] == ["IPC102"]
    assert "Fixed 3 of 4 faults" in done.stderr
    after = contents(tmp_path)
    assert {name for name in before if after[name] != before[name]} == {"press/desk.py", "press/sender.py"}
    assert b'Job(order.rid, "refused", reply_to=order.reply_to))  # IPC001\n' in after["press/desk.py"]
    assert b"self.sender.send(Abort(rid=order.rid), order)  # IPC101\n" in after["press/desk.py"]
    assert b'        reply_to = getattr(origin, "reply_to", None)\n' in after["press/sender.py"]


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "", **PRESS})
    first = run_check("--fix", "--output-format", "concise", ".", cwd=tmp_path)
    once = contents(tmp_path)
    stamps = {name: (tmp_path / name).stat().st_mtime_ns for name in once}
    second = run_check("--fix", "--output-format", "concise", ".", cwd=tmp_path)
    assert contents(tmp_path) == once
    assert {name: (tmp_path / name).stat().st_mtime_ns for name in once} == stamps
    assert second.stdout == first.stdout
    assert run_check("--diff", ".", cwd=tmp_path).returncode == 0


def test_two_rules_in_one_file_and_on_one_line(tmp_path: Path) -> None:
    text = HEAD + (
        "def refuse(order: Order, sender: Sender, queue):\n"
        "    queue.append(Job(order.rid)); sender.send(Abort(rid=order.rid))\n"
    )
    project(tmp_path, desk=text)
    done = run_check("--fix", ".", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "Fixed 2 of 2 faults" in done.stderr
    new = text.replace("Job(order.rid)", "Job(order.rid, reply_to=order.reply_to)")
    new = new.replace("rid=order.rid))", "rid=order.rid), order)")
    assert (tmp_path / "desk.py").read_text() == new


DIFFS: dict[str, bytes] = {
    "LF": DESK.encode(),
    "CRLF": DESK.replace("\n", "\r\n").encode(),
    "mixed": DESK.replace("\n", "\r\n", 2).encode(),
    "no final newline": DESK.removesuffix("\n").encode(),
    "BOM": b"\xef\xbb\xbf# \n" + DESK.encode(),
    "BOM within the context": b"\xef\xbb\xbf# \n" + DESK.replace("\n\n\n", "\n").encode(),
    "latin-1": ("# coding: latin-1\n" + DESK + "    # größer\n").encode("latin-1"),
    "utf-8": (DESK + "    # größer\n").encode(),
    "form feed": (DESK + "\f\nx = 1\n").encode(),
    "line separator in a comment": (DESK + "    # \u2028 \x85 \x0b\n").encode(),
    "CR": DESK.replace("\n", "\r").encode(),
}


@pytest.mark.parametrize("name", DIFFS)
def test_the_diff_applied_gives_what_fix_gives(name: str, tmp_path: Path) -> None:
    one, two = project(tmp_path / "one", desk=DIFFS[name]), project(tmp_path / "two", desk=DIFFS[name])
    before = contents(one)
    diff = diff_of(one)
    assert contents(one) == before
    assert run_check("--fix", ".", cwd=two).returncode == 0
    assert contents(two) != before
    for command in (["git", "apply"], ["patch", "-p1", "--binary"]):
        if shutil.which(command[0]) is not None:
            done = subprocess.run(command, cwd=one, input=diff, capture_output=True)
            assert done.returncode == 0, (done.stdout + done.stderr, diff)
            assert contents(one) == contents(two)
            project(one, desk=DIFFS[name])


def diff_of(root: Path) -> bytes:
    """The bytes that ``--diff`` prints; it must say that there is a difference."""
    command = [sys.executable, "-m", "ipc_lint", "check", "--field", "reply_to", "--no-preset", "--diff", "."]
    done = subprocess.run(command, cwd=root, capture_output=True)
    assert done.returncode == 1, done.stderr
    assert b"Would fix 1 of 1 fault" in done.stderr
    return done.stdout


def test_the_diff_of_two_files_applies(tmp_path: Path) -> None:
    one = write(tmp_path / "one", {"pyproject.toml": "", **PRESS})
    two = write(tmp_path / "two", {"pyproject.toml": "", **PRESS})
    done = run_check("--diff", ".", cwd=one)
    assert done.returncode == 1
    run_check("--fix", ".", cwd=two)
    applied = subprocess.run(["git", "apply"], cwd=one, input=done.stdout, text=True, capture_output=True)
    assert applied.returncode == 0, applied.stderr
    assert contents(one) == contents(two)


@pytest.mark.parametrize("option", ["--diff", "--fix"])
def test_nothing_to_fix(option: str, tmp_path: Path) -> None:
    before = contents(project(tmp_path, desk=FIXED))
    done = run_check(option, ".", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert contents(tmp_path) == before


def test_a_fault_without_a_fix_is_no_difference(tmp_path: Path) -> None:
    project(tmp_path, desk=UNSAFE)
    assert run_check("--diff", ".", cwd=tmp_path).returncode == 0
    assert run_check("--fix", ".", cwd=tmp_path).returncode == 1


def test_unsafe_fixes_are_made_only_on_demand(tmp_path: Path) -> None:
    project(tmp_path, desk=UNSAFE)
    done = run_check("--fix", ".", cwd=tmp_path)
    assert done.returncode == 1
    assert "1 more with --unsafe-fixes" in done.stderr
    assert (tmp_path / "desk.py").read_text() == UNSAFE
    done = run_check("--fix", "--unsafe-fixes", ".", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "Job(order.rid, reply_to=order.reply_to) for order" in (tmp_path / "desk.py").read_text()


@pytest.mark.parametrize(
    "body",
    [
        "def admit(queue):\n    queue.append(Job(queue.pop().rid))\n",
        "def admit(order: Order, queue, **kw):\n    queue.append(Job(order.rid, **kw))\n",
        "def admit(order: Order, queue, **kw):\n    queue.append(Job(**kw, rid=order.rid))\n",
        "class Note:\n    def __init__(self, rid):\n        self.rid = rid\n\n\n"
        "def admit(note: Note, queue):\n    queue.append(Job(note.rid))\n",
        "def fetch() -> Order:\n    return Order()\n\n\n"
        "def admit(queue):\n    queue.append(Job(fetch().rid))\n",
    ],
    ids=["call", "kwargs", "kwargs first", "class without the field", "call of a known class"],
)
@pytest.mark.parametrize("option", ["--fix", "--unsafe-fixes"])
def test_what_cannot_be_fixed_is_not(body: str, option: str, tmp_path: Path) -> None:
    project(tmp_path, desk=HEAD + body)
    run_check("--fix", option, ".", cwd=tmp_path)
    assert (tmp_path / "desk.py").read_text() == HEAD + body


def test_only_the_files_asked_for_are_written(tmp_path: Path) -> None:
    project(tmp_path, desk=DESK, other=DESK)
    assert run_check("--fix", "desk.py", cwd=tmp_path).returncode == 0
    assert (tmp_path / "desk.py").read_text() == FIXED
    assert (tmp_path / "other.py").read_text() == DESK


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o4750])
def test_the_mode_stays(mode: int, tmp_path: Path) -> None:
    path = project(tmp_path, desk=DESK) / "desk.py"
    path.chmod(mode)
    assert run_check("--fix", ".", cwd=tmp_path).returncode == 0
    assert path.read_text() == FIXED
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_symbolic_link_is_followed(tmp_path: Path) -> None:
    root = project(tmp_path / "root")
    write(tmp_path / "far", {"real.py": DESK})
    (root / "desk.py").symlink_to("hop.py")
    (root / "hop.py").symlink_to("../far/real.py")
    assert run_check("--fix", "desk.py", cwd=root).returncode == 0
    assert (root / "desk.py").readlink() == Path("hop.py")
    assert (root / "hop.py").readlink() == Path("../far/real.py")
    assert (tmp_path / "far/real.py").read_text() == FIXED
    assert sorted(os.listdir(tmp_path / "far")) == ["real.py"]


def test_a_file_and_a_link_to_it_give_one_fix(tmp_path: Path) -> None:
    project(tmp_path, desk=DESK)
    (tmp_path / "link.py").symlink_to("desk.py")
    done = run_check("--fix", "desk.py", "link.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "desk.py").read_text() == FIXED


def test_nothing_but_the_file_is_left_behind(tmp_path: Path) -> None:
    names = sorted(contents(project(tmp_path, desk=DESK)))
    run_check("--fix", ".", cwd=tmp_path)
    assert sorted(contents(tmp_path)) == names


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "desk.py"
    path.write_bytes(b"newer\n")
    problem = write_fixed(str(path), b"older\n", b"fixed\n")
    assert problem is not None
    assert "changed" in problem.message
    assert path.read_bytes() == b"newer\n"
    assert os.listdir(tmp_path) == ["desk.py"]


def test_a_file_that_is_gone_is_a_problem(tmp_path: Path) -> None:
    problem = write_fixed(str(tmp_path / "no" / "desk.py"), b"old\n", b"new\n")
    assert problem is not None
    assert problem.message == "cannot be written: No such file or directory"
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("at", ["mkstemp", "fsync", "chmod", "replace"])
@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), KeyboardInterrupt()])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    at: str, error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "desk.py"
    path.write_bytes(b"old\n")

    def fail(*args: object, **kwargs: object) -> None:
        raise error

    monkeypatch.setattr(f"tempfile.{at}" if at == "mkstemp" else f"os.{at}", fail)
    if isinstance(error, OSError):
        problem = write_fixed(str(path), b"old\n", b"new\n")
        assert problem is not None
        assert problem.message == "cannot be written: Permission denied"
    else:
        with pytest.raises(KeyboardInterrupt):
            write_fixed(str(path), b"old\n", b"new\n")
    assert path.read_bytes() == b"old\n"
    assert os.listdir(tmp_path) == ["desk.py"]


def test_a_read_only_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "desk.py"
    path.write_bytes(b"old\n")
    path.chmod(0o444)
    monkeypatch.setattr("os.access", lambda target, mode: False)  # as it is for anyone but root
    problem = write_fixed(str(path), b"old\n", b"new\n")
    assert problem is not None
    assert "cannot be written" in problem.message
    assert path.read_bytes() == b"old\n"


def test_what_cannot_be_written_is_exit_2_with_the_name_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from ipc_lint.cli import cli

    project(tmp_path, desk=DESK)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("os.access", lambda target, mode: mode != os.W_OK)
    args = ["check", "--field", "reply_to", "--no-preset", "--fix", "."]
    assert cli.main(args, standalone_mode=False) == 2
    captured = capsys.readouterr()
    assert "ipc-lint: desk.py: cannot be written" in captured.err
    assert "Fixed 1" not in captured.err
    assert (tmp_path / "desk.py").read_text() == DESK
