"""``ipc-lint check --verbose``: what was inferred, what was passed over, what became of every site."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.project import run_check
from tests.server import DESK, PRESS
from tests.trees import write


@pytest.fixture
def press(tmp_path: Path) -> Path:
    """A checkout with one fault of each kind."""
    return write(tmp_path / "checkout", {**PRESS, ".git/HEAD": ""})


SITE = re.compile(r"(\S+):(\d+):(\d+) (construction|send|gate) (\S+): (\w+) — (.+)")


def test_verbose_says_what_became_of_every_site_and_why(press: Path) -> None:
    done = run_check("--verbose", "press/desk.py", cwd=press)
    said = [match.groups() for match in map(SITE.fullmatch, done.stderr.splitlines()) if match]
    source = DESK.splitlines()
    got = {
        source[int(line) - 1].strip(): (kind, what) for _, line, _, kind, _, what, _ in said if kind == "send"
    }
    assert got == {
        "self.sender.send(Abort(rid=job.rid), job)": ("send", "stamped"),
        "self.sender.send(Abort(rid=order.rid))  # IPC101": ("send", "lost"),
        "self.sender.send(Beat(load=len(self.jobs)))  # IPC102": ("send", "lost"),
        "self.sender.send(Beat(reply_to=address))": ("send", "passed"),
        "self.sender.send(output)": ("send", "unproven"),
    }
    jobs = {int(line): what for _, line, _, kind, subject, what, _ in said if subject == "Job"}
    assert {source[line - 1].strip(): what for line, what in jobs.items()} == {
        "self.jobs.append(Job(order.rid, order.text, order.reply_to))": "passed",
        'self.jobs.append(Job(order.rid, "refused"))  # IPC001': "lost",
        'self.jobs.append(Job("warm up", ""))': "noclient",
    }
    for path, line, column, _, subject, _, reason in said:
        assert path == "press/desk.py"
        assert source[int(line) - 1][int(column) - 1 :].startswith(
            (subject.rpartition(".")[2], "self.sender.send(")
        )
        assert len(reason) > 10


INFERRED = re.compile(r"(\S+):(\d+) (carrier|stamper|sender) (\S+) \(reply_to\): (.+)")


def test_verbose_says_what_was_inferred_and_where(press: Path) -> None:
    lines = run_check("--verbose", "press/desk.py", cwd=press).stderr.splitlines()
    said = [match.groups() for match in map(INFERRED.fullmatch, lines) if match]
    message, internal = "a message, has reply_to", "has reply_to, and no sender stamps it"
    assert [(kind, name, what) for _, _, kind, name, what in said] == [
        ("carrier", "press.model.Message", message),
        ("carrier", "press.model.Order", message),
        ("carrier", "press.model.Abort", message),
        ("carrier", "press.model.Beat", message),
        ("carrier", "press.model.Job", internal),
        (
            "sender",
            "press.desk.Desk.relay",
            "hands `output` on through press.sender.Sender.send, and asks for no origin",
        ),
        (
            "sender",
            "press.sender.Sender.send",
            "copies the address from `origin` to `output` and hands that on",
        ),
    ]
    for path, line, _, name, _ in said:
        assert f" {name.rpartition('.')[2]}" in PRESS[path].splitlines()[int(line) - 1]


def test_verbose_tells_stampers_and_what_goes_through_others(tmp_path: Path) -> None:
    server = """\
class Message:
    reply_to = None

def stamp(message: Message, address):
    message.reply_to = address

def copy(message: Message, origin: Message):
    message.reply_to = origin.reply_to

def send(message: Message, origin: Message, socket):
    copy(message, origin)
    socket.send_pyobj(message)

def emit(message: Message, socket):
    send(message, None, socket)
"""
    done = run_check("--verbose", cwd=write(tmp_path, {"server.py": server}))
    said = [match.groups()[1:] for match in map(INFERRED.fullmatch, done.stderr.splitlines()) if match]
    assert said[1:] == [
        ("4", "stamper", "server.stamp", "sets an address of its own on `message`"),
        ("7", "stamper", "server.copy", "copies the address from `origin` to `message`"),
        (
            "10",
            "sender",
            "server.send",
            "copies the address from `origin` to `message` and hands that on through server.copy",
        ),
        ("14", "sender", "server.emit", "hands `message` on through server.send, and asks for no origin"),
    ]


def test_verbose_says_what_was_passed_over_and_why(press: Path) -> None:
    write(press, {".gitignore": "drafts/\n", "drafts/a.py": "", "venv/b.py": "", "press/old.py": DESK})
    done = run_check("--verbose", "--extend-exclude", "old.py", cwd=press)
    said = [line for line in done.stderr.splitlines() if "passed over" in line or "not parsed" in line]
    assert said == [
        ".git: passed over: a pattern of the excludes matches it",
        "drafts: passed over: git ignores it",
        "press/old.py: passed over: a pattern of the excludes matches it",
        "venv: passed over: a pattern of the excludes matches it",
        "2 of 5 files: not parsed: none of the names is in them",
    ]
    named = run_check("--verbose", "--force-exclude", "venv/b.py", "press/plain.py", cwd=press).stderr
    assert "venv/b.py: passed over" in named


def test_verbose_shows_gates_where_they_are(press: Path) -> None:
    done = run_check("--verbose", "press/sender.py", cwd=press)
    assert "press/sender.py:9:12 gate Sender.send: lost — callers pass Job" in done.stderr


def test_verbose_changes_nothing_on_stdout(press: Path) -> None:
    assert run_check("--verbose", cwd=press).stdout == run_check(cwd=press).stdout
