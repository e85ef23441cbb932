"""Files that cannot be checked, and odd ones that can: nothing is hidden, nothing breaks off.

Each stands beside ``good.py``, whose fault must be found whatever its neighbour is. Every bad file
holds the field's name: a file without it is not parsed, and its faults are nobody's business.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.project import Spot, json_of, marked, run_check, spots_of
from tests.server import ALONE, WIRE
from tests.trees import write

GOOD = marked({"good.py": ALONE})
NEWER = {
    (3, 11): "try:\n    reply_to = 1\nexcept* ValueError:\n    pass\n",
    (3, 12): "type reply_to = int\n",
    (3, 13): "def hand[T = int](reply_to: T): ...\n",
    (3, 14): "reply_to = t'{1}'\n",
}


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return write(tmp_path, {"good.py": ALONE})


def check_beside_good(work: Path, *paths: str) -> tuple[list[Spot], list[str], list[str]]:
    """The findings, the problem lines and the problem paths of a run through the command line."""
    done = run_check("--output-format", "json", *(paths or (".",)), cwd=work)
    assert "Traceback" not in done.stderr + done.stdout
    report = json_of(done)
    *problems, summary = done.stderr.splitlines()
    assert summary.startswith("Found ")
    assert done.returncode == (2 if problems else 1)
    assert [f"ipc-lint: {e['path']}: {e['message']}" for e in report["errors"]] == problems
    return spots_of(report["findings"]), problems, [e["path"] for e in report["errors"]]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(
            b"reply_to = 1\nreply_to = (\n", "line 2, column 12: '(' was never closed", id="bracket"
        ),
        pytest.param(b"reply_to = = 1\n", "line 1, column 12: invalid syntax", id="syntax error"),
        pytest.param(b"print 'reply_to'\n", "line 1, column 1: ", id="Python 2"),
        pytest.param(b"x = 1\nreply_to = 'open\n", "line 2, column 12: unterminated string", id="string"),
        pytest.param(b"if 1:\nreply_to = 1\n", "line 2, column 1: expected an indented block", id="indent"),
        pytest.param(b"if 1:\n\treply_to = 1\n        x = 1\n", "inconsistent use of tabs", id="tabs"),
        pytest.param(b"<<<<<<< HEAD\nreply_to = 1\n=======\n", "line 1, column 1: ", id="conflict"),
        pytest.param(b"x = 1\nreply_to = '\xff'\n", "line 2: byte 0xff is not valid utf-8", id="encoding"),
        pytest.param(
            b"# coding: ascii\nreply_to = '\xc3\xa9'\n", "line 2: byte 0xc3 is not valid ascii", id="cookie"
        ),
        pytest.param(b"# coding: no-such\nreply_to = 1\n", "unknown encoding: no-such", id="unknown cookie"),
        pytest.param(
            b"\xef\xbb\xbf# coding: latin-1\nreply_to = 1\n", "encoding problem", id="BOM and cookie"
        ),
        pytest.param("reply_to = 1\n".encode("utf-16"), "", id="UTF-16"),
        pytest.param(b"x = 1\nreply_to = 1 \0\n", "line 2: a NUL byte", id="NUL"),
        pytest.param(b"reply_to = 'a\0b'\n", "line 1: a NUL byte", id="NUL in a string"),
        pytest.param(b"reply_to = " + b"(" * 1000 + b"1" + b")" * 1000 + b"\n", "", id="1000 brackets"),
        pytest.param(
            b"reply_to = 1\n" + b"".join(b" " * n + b"if x:\n" for n in range(200)) + b" " * 200 + b"x\n",
            "too many levels of indentation",
            id="200 nested ifs",
        ),
    ],
)
def test_a_file_that_cannot_be_parsed_is_one_line_and_hides_nothing(
    work: Path, content: bytes, reason: str
) -> None:
    write(work, {"bad.py": content})
    if b"reply_to" not in content:  # as in UTF-16: the name is not there, byte for byte
        assert check_beside_good(work) == (GOOD, [], [])
        return
    spots, problems, paths = check_beside_good(work)
    assert (spots, paths) == (GOOD, ["bad.py"])
    assert reason in problems[0]


def test_a_bad_file_without_the_name_is_nobodys_business(work: Path) -> None:
    write(work, {"bad.py": b"x = (\0\xff"})
    assert check_beside_good(work) == (GOOD, [], [])


def test_a_bad_file_in_the_project_that_was_not_asked_for_is_not_reported(work: Path) -> None:
    write(work, {"bad.py": "reply_to = (\n"})
    assert check_beside_good(work, "good.py") == (GOOD, [], [])


def test_each_bad_file_has_its_line_in_order(work: Path) -> None:
    write(work, {"b/bad.py": "reply_to = (\n", "a.py": "reply_to = = 1\n", "c.py": b"reply_to = \0"})
    spots, _, paths = check_beside_good(work)
    assert (spots, paths) == (GOOD, ["a.py", "b/bad.py", "c.py"])


@pytest.mark.parametrize("version", NEWER, ids=lambda version: f"{version[0]}.{version[1]}")
def test_syntax_of_a_newer_python_names_the_python_that_it_needs(
    work: Path, version: tuple[int, int]
) -> None:
    write(work, {"new.py": NEWER[version]})
    spots, problems, _ = check_beside_good(work)
    assert spots == GOOD
    if sys.version_info[:2] >= version:
        assert problems == []
    else:
        needed, running = f"{version[0]}.{version[1]}", f"{sys.version_info[0]}.{sys.version_info[1]}"
        assert len(problems) == 1
        assert f"needs Python {needed} or newer" in problems[0]
        assert f"this is {running}" in problems[0]


# ------------------------------------------------------------------- the file system


@pytest.mark.parametrize("path", ["missing.py", "missing", "no/such/folder", "good.py/inside.py"])
def test_a_missing_path_is_one_line(work: Path, path: str) -> None:
    spots, _, paths = check_beside_good(work, path, "good.py")
    assert (spots, paths) == (GOOD, [path])


@pytest.mark.parametrize("asked", [".", "gone.py"])
def test_a_dangling_link_is_one_line_that_says_where_it_leads(work: Path, asked: str) -> None:
    (work / "gone.py").symlink_to("nowhere.py")
    spots, problems, _ = check_beside_good(work, asked, "good.py")
    assert spots == GOOD
    assert problems == ["ipc-lint: gone.py: a symbolic link to nowhere (nowhere.py)"]


def test_a_dangling_link_that_is_no_python_file_is_nobodys_business(work: Path) -> None:
    (work / "data").symlink_to("nowhere")
    assert check_beside_good(work) == (GOOD, [], [])


def test_a_link_to_itself_is_one_line(work: Path) -> None:
    (work / "loop.py").symlink_to("loop.py")
    spots, _, paths = check_beside_good(work)
    assert (spots, paths) == (GOOD, ["loop.py"])


def test_two_links_to_each_other_are_a_line_each(work: Path) -> None:
    (work / "a.py").symlink_to("b.py")
    (work / "b.py").symlink_to("a.py")
    spots, _, paths = check_beside_good(work)
    assert (spots, paths) == (GOOD, ["a.py", "b.py"])


def test_a_folder_that_links_to_the_one_above_is_walked_once(work: Path) -> None:
    (work / "sub").mkdir()
    (work / "sub" / "up").symlink_to("..")
    (work / "sub" / "self").symlink_to(".")
    assert check_beside_good(work) == (GOOD, [], [])


def test_a_file_and_a_link_to_it_are_one_file(work: Path) -> None:
    (work / "again.py").symlink_to("good.py")
    assert check_beside_good(work) == (GOOD, [], [])


@pytest.mark.parametrize("asked", [".", "x.py"])
def test_a_folder_named_like_a_file_is_a_folder(work: Path, asked: str) -> None:
    write(work, {"x.py/inner.py": ALONE})
    spots, problems, _ = check_beside_good(work, asked, "good.py")
    assert (spots, problems) == ([*GOOD, *marked({"x.py/inner.py": ALONE})], [])


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read anything")
@pytest.mark.parametrize("asked", [".", "secret.py"])
def test_a_file_that_may_not_be_read_is_one_line(work: Path, asked: str) -> None:
    write(work, {"secret.py": ALONE})
    (work / "secret.py").chmod(0)
    spots, problems, _ = check_beside_good(work, asked, "good.py")
    assert spots == GOOD
    assert problems == ["ipc-lint: secret.py: permission denied"]


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="needs a file that fails to be read")
@pytest.mark.parametrize("asked", [".", "mem.py"])
def test_a_file_that_fails_while_it_is_read_is_one_line(work: Path, asked: str) -> None:
    (work / "mem.py").symlink_to("/proc/self/mem")  # a regular file, and reading it is an I/O error
    spots, _, paths = check_beside_good(work, asked, "good.py")
    assert (spots, paths) == (GOOD, ["mem.py"])


# ---------------------------------------------------------------------- large and odd

ODD = {
    "empty": b"",
    "one comment": b"# reply_to",
    "only newlines": b"\n\n\r\n",
    "a BOM and nothing": b"\xef\xbb\xbf",
    "a BOM": b"\xef\xbb\xbfreply_to = 1\n",
    "CRLF": b"reply_to = 1\r\nx = 2\r\n",
    "CR": b"reply_to = 1\rx = 2\r",
    "form feed": b"reply_to = 1\n\x0cx = 2\n",
    "no final newline": b"reply_to = 1",
    "control-Z": b"reply_to = 1  # \x1a\n",
    "latin-1": "# -*- coding: latin-1 -*-\nreply_to = 'é'\n".encode("latin-1"),
    "an odd escape": b"reply_to = '\\d'\n",
    "assert on a tuple": b"assert (reply_to, 1)\n",
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_file_is_no_problem(work: Path, name: str) -> None:
    write(work, {"odd.py": ODD[name]})
    assert check_beside_good(work) == (GOOD, [], [])


def inside(statement: str) -> str:
    """The good file with a statement in the function that has the fault."""
    return ALONE.replace("    queue.append(", f"    {statement}\n    queue.append(")


LARGE = {
    "20,000 lines": ALONE + "x = 1\n" * 20_000,
    "20,000 lines before": "x = 1\n" * 20_000 + ALONE,
    "20,000 lines in the function": inside("\n    ".join(["x = 1"] * 20_000)),
    "5,000 strings in a row": ALONE + "TEXT = (" + "'a'\n" * 5_000 + ")\n",
    "5,000 strings in a row in the function": inside("text = (" + " ".join(["'a'"] * 5_000) + ")"),
    "5,000 f-strings in a row": ALONE + "TEXT = (" + "f'{x}'\n" * 5_000 + ")\n",
    "a list of 20,000 numbers": ALONE + "NUMBERS = [" + "1, " * 20_000 + "]\n",
    "a line of a million characters": ALONE + f"TEXT = '{'x' * 1_000_000}'\n",
    "90 nested ifs": ALONE + "".join(" " * n + "if x:\n" for n in range(90)) + " " * 90 + "x = 1\n",
    "100 functions in each other": ALONE
    + "".join(" " * n + f"def f{n}(reply_to):\n" for n in range(90))
    + " " * 90
    + "return 1\n",
}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_file_is_checked(work: Path, name: str) -> None:
    write(work, {"large.py": LARGE[name]})
    spots, problems, _ = check_beside_good(work)
    assert (spots, problems) == ([*GOOD, *marked({"large.py": LARGE[name]})], [])


CHAINS = {
    "3,000 pluses": "x = " + " + ".join(["1"] * 3_000),
    "3,000 pluses of strings": "x = " + " + ".join(["'a'"] * 3_000),
    "3,000 ands": "x = " + " and ".join(["y"] * 3_000),
    "3,000 comparisons": "x = " + " < ".join(["y"] * 3_000),
    "1,000 calls": "x = y" + ".z()" * 1_000,  # libcst takes four times as long for twice as many
    "3,000 attributes": "x = y" + ".z" * 3_000,
    "1,000 items": "x = y" + "[0]" * 1_000,
    "3,000 choices": "x = " + "1 if y else " * 3_000 + "2",
    "3,000 minuses": "x = " + "-" * 3_000 + "1",
    "500 lambdas": "x = " + "lambda: " * 500 + "1",
    "150 brackets": "x = " + "[" * 150 + "]" * 150,
    "3,000 elifs": "if y == 0:\n    x = 0\n"
    + "".join(f"elif y == {n}:\n    x = {n}\n" for n in range(3_000)),
    "300 elifs": "if y == 0:\n    x = 0\n" + "".join(f"elif y == {n}:\n    x = {n}\n" for n in range(300)),
}


@pytest.mark.parametrize("place", ["beside", "inside"])
@pytest.mark.parametrize("name", CHAINS)
def test_a_chain_is_checked_or_said_not_to_be(work: Path, name: str, place: str) -> None:
    chain = CHAINS[name]
    text = f"{ALONE}{chain}\n" if place == "beside" else inside(chain.replace("\n", "\n    "))
    write(work, {"chain.py": text})
    spots, _, paths = check_beside_good(work)
    checked = sorted([*GOOD, *marked({"chain.py": text})])
    assert (spots, paths) in [(checked, []), (GOOD, ["chain.py"])]


@pytest.mark.parametrize("name", ["3,000 pluses", "3,000 elifs", "1,000 calls"])
def test_a_chain_in_a_file_without_carriers_costs_nothing_but_itself(work: Path, name: str) -> None:
    write(work, {"chain.py": f"reply_to = 1\n{CHAINS[name]}\n"})
    spots, _, paths = check_beside_good(work)
    assert spots == GOOD
    assert paths in ([], ["chain.py"])


def test_a_pipe_is_not_waited_for(work: Path) -> None:
    os.mkfifo(work / "pipe.py")
    assert check_beside_good(work)[0] == GOOD
    done = run_check("pipe.py", cwd=work)
    assert (done.returncode, done.stderr.splitlines()[0]) == (2, "ipc-lint: pipe.py: is not a regular file")


def test_a_long_chain_of_methods_is_checked(tmp_path: Path) -> None:
    methods = "".join(
        f"    def m{n}(self, m: Message):\n        self.x = self.m{n + 1}(m)\n        return Job(m.rid)\n\n"
        for n in range(400)
    )
    write(tmp_path, {"chain.py": f"{WIRE}\n\nclass Desk:\n{methods}"})
    done = run_check("--output-format", "concise", ".", cwd=tmp_path, field="reply_to")
    assert (done.returncode, done.stdout.count("IPC001")) == (1, 400), done.stderr


def test_a_fault_beside_a_long_chain_is_mended(tmp_path: Path) -> None:
    chain = "".join(f"    elif x == {number}:\n        pass\n" for number in range(350))
    faulty = "def f(m: Message, q):\n    q.append(Job(m.rid))\n\n\n"
    text = f"{WIRE}\n\n{faulty}def g(x):\n    if x:\n        pass\n{chain}"
    write(tmp_path, {"chain.py": text})
    done = run_check("--fix", ".", cwd=tmp_path, field="reply_to")
    assert done.returncode == 0, done.stderr
    assert "q.append(Job(m.rid, reply_to=m.reply_to))" in (tmp_path / "chain.py").read_text()
