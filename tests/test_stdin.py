"""``ipc-lint check --stdin-filename FILE -``: source that is not, or not yet, on disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.project import Spot, marked, run_check, spots_of
from tests.server import ALONE, DESK, PRESS
from tests.trees import files_of, write

BASE = [sys.executable, "-m", "ipc_lint", "check", "--field", "reply_to", "--no-preset"]
ALL = marked(PRESS)
FIXED_DESK = DESK.replace('"refused"))', '"refused", reply_to=order.reply_to))').replace(
    "Abort(rid=order.rid))", "Abort(rid=order.rid), order)"
)
FIXED = ALONE.replace("Job(order.rid)", "Job(order.rid, reply_to=order.reply_to)")
MARKS: dict[str, dict[str, str]] = {"repository": {".git/HEAD": ""}, "nothing": {}}


def piped(
    *args: str, data: bytes | str, cwd: Path, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """The real command line with something on its standard input."""
    given = data if isinstance(data, bytes) else data.encode()
    environment = {**os.environ, **(env or {})}
    done = subprocess.run([*BASE, *args], cwd=cwd, env=environment, input=given, capture_output=True)
    assert b"Traceback" not in done.stderr
    return done


def report(done: subprocess.CompletedProcess[bytes]) -> dict[str, Any]:
    """The JSON report on standard output."""
    loaded: dict[str, Any] = json.loads(done.stdout)
    return loaded


def found(*args: str, data: bytes | str, cwd: Path) -> list[Spot]:
    """What is found; the exit code must say the same."""
    done = piped("--output-format", "json", *args, data=data, cwd=cwd)
    spots = spots_of(report(done)["findings"])
    assert report(done)["errors"] == []
    assert report(done)["files_checked"] == 1
    assert done.returncode == bool(spots), done.stderr
    return spots


def snapshot(root: Path) -> dict[str, tuple[bytes, int]]:
    """Every file below a folder, and when it was written."""
    files = files_of(root)
    return {str(path.relative_to(root)): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


@pytest.fixture
def press(tmp_path: Path) -> Path:
    """A checkout with one fault of each kind."""
    return write(tmp_path / "checkout", {**PRESS, ".git/HEAD": ""})


# ----------------------------------------------------------------- as if it were on disk


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("folder", [".", "press", "../elsewhere"])
@pytest.mark.parametrize("state", ["the same", "another", "missing"])
def test_it_is_checked_as_if_it_were_on_disk(tmp_path: Path, mark: str, folder: str, state: str) -> None:
    root = write(tmp_path / "checkout", {**PRESS, **MARKS[mark]})
    (tmp_path / "elsewhere").mkdir()
    name = "press/desk.py"
    asked = os.path.relpath(root / name, root / folder)
    on_disk = run_check("--output-format", "json", asked, cwd=root / folder)
    if state == "another":
        write(root, {name: "import this\n"})
    elif state == "missing":
        (root / name).unlink()
    before = snapshot(root)
    done = piped("--output-format", "json", "--stdin-filename", asked, data=DESK, cwd=root / folder)
    assert done.stdout.decode() == on_disk.stdout
    assert done.returncode == on_disk.returncode == 1
    assert spots_of(report(done)["findings"]) == [
        Spot(asked, spot.line, spot.code) for spot in ALL if spot.path == name
    ]
    assert snapshot(root) == before


@pytest.mark.parametrize(
    "args", [["--stdin-filename", "press/desk.py"], ["--stdin-filename=press/desk.py", "-"]]
)
def test_the_dash_may_be_left_out(press: Path, args: list[str]) -> None:
    assert found(*args, data=DESK, cwd=press) == marked({"press/desk.py": DESK})


def test_what_is_on_disk_no_longer_counts(press: Path) -> None:
    assert found("--stdin-filename", "press/desk.py", data="reply_to = 1\n", cwd=press) == []


def test_only_the_named_file_is_reported(press: Path) -> None:
    assert found("--stdin-filename", "press/plain.py", data=PRESS["press/plain.py"], cwd=press) == []


def test_others_are_seen_with_the_given_content(press: Path) -> None:
    """Without its caller on standard input nobody proves the gate wrong."""
    write(press, {"press/desk.py": ""})
    sender = PRESS["press/sender.py"]
    assert found("--stdin-filename", "press/sender.py", data=sender, cwd=press) == []
    both = sender + "\n\n" + DESK.replace("from press.sender import Sender\n", "")
    assert Spot("press/sender.py", 9, "IPC201") in found(
        "--stdin-filename", "press/sender.py", data=both, cwd=press
    )


def test_a_new_file_in_a_new_folder(press: Path) -> None:
    name = "press/desks/front.py"
    assert found("--stdin-filename", name, data=DESK, cwd=press) == marked({name: DESK})
    assert not (press / "press/desks").exists()


def test_an_absolute_name(press: Path) -> None:
    name = str(press / "press/desk.py")
    assert found("--stdin-filename", name, data=DESK, cwd=press) == marked({"press/desk.py": DESK})


def test_a_link_is_the_file_that_it_leads_to(press: Path) -> None:
    (press / "link.py").symlink_to("press/desk.py")
    assert found("--stdin-filename", "link.py", data=DESK, cwd=press) == marked({"link.py": DESK})
    assert found("--stdin-filename", "link.py", data="reply_to = 1\n", cwd=press) == []


def test_the_imports_of_the_input_show_where_its_project_begins(tmp_path: Path) -> None:
    root = write(tmp_path, {name: text for name, text in PRESS.items() if name != "press/__init__.py"})
    write(root, {"press/desk.py": "", "press/sender.py": PRESS["press/sender.py"].replace("press.", ".")})
    expected = [spot._replace(path="desk.py") for spot in marked({"": DESK})]
    assert found("--stdin-filename", "desk.py", data=DESK, cwd=root / "press") == expected


def test_a_script_is_seen_with_what_it_imports_from_beside_it(tmp_path: Path) -> None:
    write(tmp_path, {name: text for name, text in PRESS.items() if name != "press/desk.py"})
    assert found("--stdin-filename", "run.py", data=DESK, cwd=tmp_path) == marked({"run.py": DESK})


def test_a_dash_alone_has_no_other_name(tmp_path: Path) -> None:
    assert found("-", data=ALONE, cwd=tmp_path) == marked({"-": ALONE})
    done = piped("--output-format", "concise", "-", data=ALONE, cwd=tmp_path)
    assert done.stdout.startswith(b"-:14:")


def test_a_dash_belongs_to_the_project_of_the_working_directory(press: Path) -> None:
    assert found("-", data=DESK, cwd=press) == marked({"-": DESK})


def test_a_file_that_is_called_dash_is_reached_by_a_longer_name(tmp_path: Path) -> None:
    write(tmp_path, {"-": ALONE})
    assert found("./-", data="", cwd=tmp_path) == marked({"-": ALONE})
    assert found("-", data="", cwd=tmp_path) == []


def test_the_text_shows_the_lines_of_the_input(press: Path) -> None:
    write(press, {"press/desk.py": "# nothing\n" * 99})
    done = piped("--stdin-filename", "press/desk.py", data=DESK, cwd=press)
    assert done.stdout.decode() == run_check("press/desk.py", cwd=write(press, PRESS)).stdout
    assert b'self.jobs.append(Job(order.rid, "refused"))' in done.stdout


def test_verbose_and_statistics(press: Path) -> None:
    done = piped("--verbose", "--statistics", "--stdin-filename", "press/desk.py", data=DESK, cwd=press)
    assert done.stdout.split() == b"1 IPC001 dropped-field 1 IPC101 send-without-origin".split() + (
        b"1 IPC102 unroutable-send".split()
    )
    assert b"press/desk.py:26:9 send" in done.stderr


# ------------------------------------------------------------------------------ bad usage


@pytest.mark.parametrize(
    "args",
    [
        ["-", "press"],
        ["press/desk.py", "-"],
        ["-", "-"],
        ["--stdin-filename", "press/desk.py", "press/desk.py"],
        ["--stdin-filename", "press/desk.py", "."],
        ["--stdin-filename", "press/desk.py", "-", "press"],
        ["--stdin-filename", "press"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("more", [[], ["--fix"]])
def test_bad_usage(press: Path, args: list[str], more: list[str]) -> None:
    done = piped(*more, *args, data=DESK, cwd=press)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.endswith(b"Try `ipc-lint check --help`.\n")


def test_a_standard_input_that_is_closed_is_said_in_a_line(press: Path) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", '"$@" <&-', "sh", *BASE, "--fix", "-"], cwd=press, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == ["ipc-lint: cannot read standard input: Bad file descriptor"]


# ------------------------------------------------------------------------------- excludes


@pytest.mark.parametrize("option", ["--fix", "--diff", "--quiet"])
def test_what_is_excluded_goes_through_as_it_is(press: Path, option: str) -> None:
    args = ["--force-exclude", "--extend-exclude", "desk.py", "--stdin-filename", "press/desk.py"]
    done = piped(option, *args, data=DESK, cwd=press)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (DESK.encode() if option == "--fix" else b"")


def test_excluded_or_ignored_but_named_it_is_checked(press: Path) -> None:
    write(press, {".gitignore": "desk.py\n"})
    args = ["--extend-exclude", "desk.py", "--stdin-filename", "press/desk.py"]
    assert found(*args, data=DESK, cwd=press) == marked({"press/desk.py": DESK})


# ------------------------------------------------------------------------------ --fix

BYTES: dict[str, bytes] = {
    "LF": ALONE.encode(),
    "CRLF": ALONE.replace("\n", "\r\n").encode(),
    "CR": ALONE.replace("\n", "\r").encode(),
    "mixed": ALONE.replace("\n", "\r\n", 3).encode(),
    "no final newline": ALONE.removesuffix("\n").encode(),
    "BOM": b"\xef\xbb\xbf" + ALONE.encode(),
    "latin-1": ("# coding: latin-1\n" + ALONE + "# größer\n").encode("latin-1"),
    "utf-8": (ALONE + "# größer \u2028 \x85\n").encode(),
    "form feed": (ALONE + "\f\nx = 1\n").encode(),
    "control-Z": (ALONE + "# \x1a\n").encode(),
    "nothing to fix": FIXED.encode(),
    "nothing at all": b"",
    "another language": "größer\r\n".encode("utf-16"),
}


@pytest.mark.parametrize("name", BYTES)
def test_fix_gives_the_bytes_that_it_would_write(name: str, tmp_path: Path) -> None:
    data = BYTES[name]
    write(tmp_path, {"ipc-lint.toml": "", "desk.py": data})
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}  # no locale has a say
    done = piped("--fix", "--stdin-filename", "desk.py", data=data, cwd=tmp_path, env=env)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "desk.py").read_bytes() == data
    assert run_check("--fix", "desk.py", cwd=tmp_path).returncode == 0
    assert done.stdout == (tmp_path / "desk.py").read_bytes()
    assert (done.stdout != data) == (b"Job(order.rid)" in data)


def test_fix_never_writes_the_file(press: Path) -> None:
    write(press, {"press/desk.py": "# another\n"})
    before = snapshot(press)
    done = piped("--fix", "--stdin-filename", "press/desk.py", data=DESK, cwd=press)
    assert done.stdout.decode() == FIXED_DESK.replace(", order)  # IPC101", ")  # IPC101")
    assert snapshot(press) == before


def test_fix_puts_what_is_left_on_the_other_stream(press: Path) -> None:
    write(
        press, {"press/sender.py": PRESS["press/sender.py"].replace("isinstance(origin, Message)", "origin")}
    )
    args = ["--fix", "--stdin-filename", "press/desk.py"]
    done = piped("--output-format", "concise", *args, data=DESK, cwd=press)
    assert done.returncode == 1
    assert done.stdout.decode() == FIXED_DESK
    line, summary = done.stderr.decode().splitlines()
    assert line.startswith("press/desk.py:26:9: IPC102 ")
    assert summary.startswith("Fixed 2 of 3 faults, 1 file checked (")
    assert piped("--exit-zero", *args, data=DESK, cwd=press).returncode == 0
    again = piped("--output-format", "json", *args, data=DESK, cwd=press)
    assert again.stdout.decode() == FIXED_DESK
    left = json.loads(again.stderr[: again.stderr.rindex(b"}") + 1])
    assert [finding["code"] for finding in left["findings"]] == ["IPC102"]
    counted = piped("--statistics", "--quiet", *args, data=DESK, cwd=press)
    assert (counted.stdout.decode(), counted.stderr.split()) == (
        FIXED_DESK,
        [b"1", b"IPC102", b"unroutable-send"],
    )


def test_fix_shows_the_lines_that_it_hands_out(press: Path) -> None:
    before = "from press.model import Abort, Job, Order, Beat\nfrom press.sender import Sender\n\n\n"
    text = before + (
        "def f(order: Order, sender: Sender, queue):\n"
        "    queue.append(Job(order.rid, '')); sender.send(Beat(load=1))\n"
    )
    done = piped("--fix", "--stdin-filename", "press/new.py", data=text, cwd=press)
    assert b"queue.append(Job(order.rid, '', reply_to=order.reply_to)); sender.send(Beat" in done.stderr


def test_unsafe_fixes_are_made_on_demand(tmp_path: Path) -> None:
    text = ALONE.replace("order: Order, queue", "order, queue")
    done = piped("--fix", "-", data=text, cwd=tmp_path)
    assert (done.returncode, done.stdout.decode()) == (1, text)
    assert b"1 more with --unsafe-fixes" in done.stderr
    done = piped("--fix", "--unsafe-fixes", "-", data=text, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, FIXED.replace("order: Order, q", "order, q").encode())


def test_a_reader_that_went_away_is_no_fault(tmp_path: Path) -> None:
    command = '"$@" < in.py | true'
    write(tmp_path, {"in.py": ALONE + "# more\n" * 100_000})
    done = subprocess.run(
        ["/bin/sh", "-c", command, "sh", *BASE, "--fix", "-"], cwd=tmp_path, capture_output=True
    )
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


# ------------------------------------------------------------------------------ --diff


@pytest.mark.parametrize("both", [[], ["--fix"]])
def test_diff_shows_what_fix_would_hand_out(press: Path, both: list[str]) -> None:
    on_disk = run_check("--diff", "press/desk.py", cwd=press)
    (press / "press/desk.py").unlink()
    done = piped("--diff", *both, "--stdin-filename", "press/desk.py", data=DESK, cwd=press)
    assert done.stdout.decode() == on_disk.stdout
    assert done.returncode == on_disk.returncode == 1
    assert b"Would fix 1 of 3 faults (1 more with --unsafe-fixes), 1 file checked" in done.stderr


def test_diff_without_a_difference(press: Path) -> None:
    done = piped("--diff", "--stdin-filename", "press/desk.py", data="", cwd=press)
    assert (done.returncode, done.stdout) == (0, b"")


# --------------------------------------------------------------------- what can't be read

BAD: dict[str, tuple[bytes, bytes]] = {
    "syntax": (b"reply_to = (\r\n", b"line 1, column 12: '(' was never closed"),
    "encoding": (b"reply_to = '\xff'", b"line 1: byte 0xff is not valid utf-8"),
    "cookie": (b"# coding: no-such\nreply_to = 1\n", b"unknown encoding: no-such"),
    "NUL": (b"reply_to = 1 \0\n", b"line 1: a NUL byte"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("option", ["--fix", "--diff", "--output-format=concise"])
def test_what_cannot_be_read_is_one_line_and_goes_through(name: str, option: str, press: Path) -> None:
    data, reason = BAD[name]
    done = piped(option, "--quiet", "--stdin-filename", "press/desk.py", data=data, cwd=press)
    assert done.returncode == 2
    assert done.stdout == (data if option == "--fix" else b"")
    (line,) = done.stderr.splitlines()
    assert line.startswith(b"ipc-lint: press/desk.py: ")
    assert reason in line


def test_what_is_wrong_on_disk_does_not_matter(press: Path) -> None:
    write(press, {"press/desk.py": "reply_to = (\n", "press/other.py": b"reply_to = '\xff'\n"})
    assert found("--stdin-filename", "press/desk.py", data=DESK, cwd=press) == marked({"press/desk.py": DESK})
