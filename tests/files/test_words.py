"""Words are found where they stand, however they are looked for."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ipc_lint.facts.body import lower_body
from ipc_lint.facts.lower import at
from ipc_lint.facts.walk import bindings
from ipc_lint.facts.words import Text, may_bind, utf8
from ipc_lint.files.contents import Contents
from ipc_lint.files.source import Source
from ipc_lint.suppress.words import may_hold_suppressions
from tests.corpus import tree

LETTERS = st.text("ab_.é \n", max_size=30)


@given(st.lists(LETTERS, min_size=1), st.lists(LETTERS.filter(bool), min_size=1, unique=True))
def test_every_file_that_holds_a_word_is_found(texts: list[str], words: list[str]) -> None:
    given_ = {f"/{number}.py": text.encode() for number, text in enumerate(texts)}
    needles = [word.encode() for word in words]
    found = Contents(list(given_), given_).search(needles, "reading")
    assert found == [[path for path, data in given_.items() if needle in data] for needle in needles]


@given(LETTERS, st.sampled_from(["a", "ab", "b_a", "é", "\udc80"]))
@example("é a", "a")
@example("aéa.a", "a")
@example("a\na a", "a")
@example("a \ud800\nab\udc80", "ab")
def test_the_lines_in_which_a_word_stands_by_itself(text: str, word: str) -> None:
    source = Source("/p.py", b"")
    source.__dict__["text"] = text  # half a surrogate pair is in none but odd encodings
    lines = text.splitlines(keepends=True)
    alone = re.compile(rf"(?<!\w){word}(?!\w)")
    assert [*Text(source).lines_with(word)] == [n for n, line in enumerate(lines, 1) if alone.search(line)]


WORDS = st.sampled_from([b"noqa", b"NoQA", b"IPC", b"ipc-lint", b" ", b"\n", b"\r", b"x"])


@given(st.lists(WORDS).map(b"".join))
@example(b"noqa IPC")
@example(b"IPC noqa\nIPC")
@example(b"noqa\rIPC")
@example(b"noqa x IPC IPC")
@example(b"IPC\n# noqa: IPC")
def test_a_suppression_has_its_word_and_our_code_in_one_line(data: bytes) -> None:
    line = re.search(rb"(?i:noqa)[^\r\n]*IPC", data)
    assert may_hold_suppressions(data) == (b"ipc-lint" in data or line is not None)


BINDING = [
    *("x = 1", "x: int = 1", "x += 1", "x , y = 1, 2", "(y, x) = z", "[x, *y] = z", "*x, y = z", "(x := 1)"),
    *("for x in y: pass", "with y as x: pass", "with y as x, z.a: pass", "global x", "x \\\n .y"),
    *(
        "import x",
        "import x.y",
        "import y, x.y",
        "import y, \\\n x.y",
        "import y, \\\r\n x.y",
        "import y as x",
    ),
    *("from y import x", "from y import (z, x)", "from y import (\n x\n)"),
    *("def x(): pass", "def x[T](): pass", "async  def x (): pass", "def \\\n x(): pass"),
    *("class x(y): pass", "class x[T]: pass", "type x[T] = y"),
    *("match y:\n case x: pass", "match y:\n case Z(x): pass", "match y:\n case {**x}: pass"),
    "try: pass\nexcept Y as x: pass",
]


@pytest.mark.parametrize("text", BINDING)
def test_what_binds_a_name_may_bind_it(text: str) -> None:
    assert may_bind("x", utf8(text))


READING = ["x.y", "x.y = 1", "x(1)", "x (y)", "x[0] = 1", "y.x(1)", "for x.y in z: pass", "xx = 1", "y(x.z)"]


@pytest.mark.parametrize("text", READING)
def test_what_only_reads_a_name_does_not_bind_it(text: str) -> None:
    assert not may_bind("x", utf8(text))


def test_every_name_that_a_real_function_binds_may_be_bound() -> None:
    number = 0
    for path in sorted((tree("0.5.23") / "sglang" / "srt" / "managers").glob("*.py")):
        source = Source(str(path), path.read_bytes())
        for node in ast.walk(source.parse()):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node.decorator_list:
                continue
            text = "".join(source.lines[node.lineno - 1 : node.end_lineno])
            inner = utf8("".join(source.lines[node.body[0].lineno - 1 : node.end_lineno]))
            for name in bindings(lower_body(text, at(node), node.name)):
                assert may_bind(name, inner), (path, node.name, name)
                number += 1
    assert number > 2000
