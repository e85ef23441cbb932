"""In which lines of a text words stand."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Protocol

from ipc_lint.needles import places

_ASCII = bytes(range(128))
_PARTS = frozenset(bytes([code]) for code in _ASCII if f"a{chr(code)}".isidentifier())

# Behind a name: what only reads it, unless one of these words stands before it in the line.
_READING = re.compile(rb"[ \t]*[.(\[]")
_BINDING = re.compile(rb"\b(?:def|class|type|import)\b")


class Written(Protocol):
    """A text as a whole, and its lines with their ends."""

    @property
    def text(self) -> str:
        """All of it."""

    @property
    def lines(self) -> list[str]:
        """The same line by line."""


class Text:
    """Looks for words in a text, for each of them once."""

    def __init__(self, source: Written) -> None:
        """``source`` is not read before something is asked."""
        self._source = source
        self._known: dict[str, Sequence[int]] = {}

    @property
    def lines(self) -> list[str]:
        """The text, line by line, ends kept."""
        return self._source.lines

    def between(self, first: int, last: int) -> bytes:
        """The lines from one to another (from 1, both included), as they are looked through."""
        starts = self._starts
        return self._data[starts[first - 1] : starts[min(last, len(starts) - 1)]]

    def lines_with(self, word: str) -> Sequence[int]:
        """The lines (from 1, in order) in which a word stands by itself, not as a part of a longer name."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = tuple(self._found(utf8(word)))
        return known

    def _found(self, word: bytes) -> Iterator[int]:
        last = 0
        for end in ends_of(word, self._data):
            line = bisect_left(self._starts, end)
            if line != last:
                yield line
            last = line

    @cached_property
    def _data(self) -> bytes:
        return utf8(self._source.text)

    @cached_property
    def _starts(self) -> list[int]:
        """The offset at which each line begins, and that of the end.

        Bytes are split where the tokenizer splits, and only there.
        """
        return [0, *accumulate(map(len, self._data.splitlines(keepends=True)))]


def utf8(text: str) -> bytes:
    """A text as it is looked through; half a surrogate pair, as utf-7 and its like give, has its place."""
    return text.encode("utf-8", "surrogatepass")


def ends_of(word: bytes, data: bytes) -> Iterator[int]:
    """The offsets at which a word ends that stands by itself in UTF-8."""
    for place in places(data, word):
        end = place + len(word)
        if not _is_part(data, place, end):
            yield end


def _is_part(data: bytes, start: int, end: int) -> bool:
    """Whether a word is only a part of a longer name."""
    before, after = data[start - 1 : start], data[end : end + 1]
    if before.isascii() and after.isascii():
        return before in _PARTS or after in _PARTS
    # A character has no more than four bytes; what the cut has left of another one is none.
    left, right = data[max(start - 4, 0) : start], data[end : end + 4]
    return _continues(left.decode("utf-8", "replace")[-1:]) or _continues(
        right.decode("utf-8", "replace")[:1]
    )


def may_bind(name: str, data: bytes) -> bool:
    """Whether a text whose names are plain may bind a name: does more with it than to call or read of it."""
    word = utf8(name)
    return any(
        not _READING.match(data, end) or _is_bound_before(data, end - len(word))
        for end in ends_of(word, data)
    )


def _is_bound_before(data: bytes, place: int) -> bool:
    """Whether what a line has before a place may bind what stands there: ``def``, ``import a, ``."""
    begin = max(data.rfind(b"\n", 0, place), data.rfind(b"\r", 0, place)) + 1
    before = data[max(begin - 3, 0) : begin].rstrip(b"\r\n")
    return before.endswith(b"\\") or _BINDING.search(data, begin, place) is not None


def names_are_plain(data: bytes) -> bool:
    """Whether every name in a text is written in ASCII, in which it has one spelling and a clear end."""
    if data.isascii():
        return True
    others = data.translate(None, _ASCII).decode("utf-8", "surrogatepass")
    return not any(map(_continues, set(others)))


def _continues(character: str) -> bool:
    """Whether an identifier goes on with a character."""
    return f"a{character}".isidentifier() and character != ""
