"""Words are found where they stand, however they are looked for."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from ipc_lint.facts.words import Text
from ipc_lint.files.contents import Contents
from ipc_lint.files.source import Source
from ipc_lint.suppress.words import may_hold_suppressions

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
