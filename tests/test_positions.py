"""Lines and columns count code points from 1, whatever stands before a finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from ipc_lint.engine import check
from tests.project import json_of, run_check, settings
from tests.trees import write

CLASSES = """\
class Order:
    def __init__(self, rid, reply_to=None):
        self.rid = rid
        self.reply_to = reply_to


class Job:
    def __init__(self, rid, text, reply_to=None):
        self.rid = rid
        self.reply_to = reply_to
"""
CALL = 'Job(order.rid, "é")'

# What stands before the call on its line, and the lines before that line.
PLAIN = f"def admit(order): return {CALL}"
SAMPLES = {
    "plain": ([], PLAIN, "\n"),
    "tabs": (["def admit(order):", "\tif order:"], f"\t\treturn {CALL}", "\n"),
    "CRLF": (["def admit(order):", "    text = '''a", "b'''"], f"    return {CALL}", "\r\n"),
    "CR": (["def admit(order):", "    x = 1"], f"    return {CALL}", "\r"),
    "wide characters": (["def admit(order):"], f"    text = '日本語 한국어'; return {CALL}", "\n"),
    "beyond the basic plane": (["def admit(order):"], f"    text = '😀👩‍👩‍👧'; return {CALL}", "\n"),
    "combining characters": (["def admit(order):"], f"    text = 'e\u0301'; return {CALL}", "\n"),
    "names in other scripts": (["def admit(order):"], f"    größe = 1; return {CALL}", "\n"),
    "form feed": (["def admit(order):", "\x0c    x = 1"], f"    return {CALL}", "\n"),
    "separators in strings": (
        ["def admit(order):", "    x = 'a\u2028b\x85c\x1cd'"],
        f"    return {CALL}",
        "\n",
    ),
    "a continued line": (["def admit(order):", "    x = \\"], f"    {CALL}; return x", "\n"),
    "after a long string": (["def admit(order):", "    '''", "é", "    '''"], f"    return {CALL}", "\n"),
    "after a decorator": (["@staticmethod", "def admit(order):"], f"    return {CALL}", "\n"),
    "in a nested function": (["def outer():", "  é = 1", "  def admit(order):"], f"   return {CALL}", "\n"),
    "in a class": (
        ["class Desk:", "\tdef é(self): pass", "\tdef admit(self, order):"],
        f"\t\treturn {CALL}",
        "\n",
    ),
    "at the top": (["from serving import serve", "order = Order('é')"], f"é = serve({CALL})", "\n"),
}
ENCODINGS = {"UTF-8": "utf-8", "UTF-8 with BOM": "utf-8-sig", "UTF-8 by cookie": "utf-8"}


def found_in(work: Path, data: bytes) -> list[tuple[int, int, int, int]]:
    report = check([str(write(work, {"a.py": data}) / "a.py")], settings())
    assert report.problems == ()
    spans = [finding.span for finding in report.findings]
    return [(span.line, span.column, span.end_line, span.end_column) for span in spans]


def expected(before: list[str], line: str) -> tuple[int, int, int, int]:
    number, column = len(before) + 1, line.index(CALL) + 1
    return number, column, number, column + len(CALL)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", SAMPLES)
def test_a_finding_has_its_line_and_column(tmp_path: Path, name: str, encoding: str) -> None:
    before, line, newline = SAMPLES[name]
    cookie = ["# -*- coding: utf-8 -*-"] if encoding == "UTF-8 by cookie" else []
    classes = CLASSES.splitlines()
    at_the_end = name == "at the top"
    before = [*cookie, *(classes if at_the_end else []), *before]
    lines = [*before, line, *([] if at_the_end else classes), ""]
    assert found_in(tmp_path, newline.join(lines).encode(ENCODINGS[encoding])) == [expected(before, line)]


def test_a_finding_in_latin_1_has_its_line_and_column(tmp_path: Path) -> None:
    before = ["# coding: latin-1", "def admit(order):"]
    line = f"    größe = 'äöü'; return {CALL}"
    text = "\n".join([*before, line, CLASSES])
    assert found_in(tmp_path, text.encode("latin-1")) == [expected(before, line)]


def test_mixed_newlines_count_as_python_counts_them(tmp_path: Path) -> None:
    text = f"# a\r# b\r\n# c\n\r\ndef admit(order):\r    x = '''\r\n\n'''\r\n    return {CALL}\n{CLASSES}"
    assert found_in(tmp_path, text.encode()) == [(9, 12, 9, 12 + len(CALL))]


def test_a_call_over_several_lines_ends_where_it_ends(tmp_path: Path) -> None:
    text = f"def admit(order):\r\n\treturn Job(\r\n\t\torder.rid,\r\n\t\t'日本',\r\n\t)\r\n{CLASSES}"
    assert found_in(tmp_path, text.encode()) == [(2, 9, 5, 3)]


def test_a_final_line_without_newline(tmp_path: Path) -> None:
    text = f"{CLASSES}\ndef admit(order):\n    return {CALL}"
    line = text.count("\n") + 1
    assert found_in(tmp_path, text.encode("utf-8-sig")) == [(line, 12, line, 12 + len(CALL))]


def test_the_command_line_says_the_same(tmp_path: Path) -> None:
    before, line = ["def admit(order):"], f"\ttext = '日本😀'; return {CALL}"
    write(tmp_path, {"a.py": "\r\n".join([*before, line, CLASSES]).encode("utf-8-sig")})
    (finding,) = json_of(run_check("--output-format", "json", "a.py", cwd=tmp_path))["findings"]
    place = (finding["line"], finding["column"], finding["end_line"], finding["end_column"])
    assert place == expected(before, line)
    concise = run_check("--output-format", "concise", "a.py", cwd=tmp_path)
    assert concise.stdout.startswith(f"a.py:2:{line.index(CALL) + 1}: IPC001 ")
