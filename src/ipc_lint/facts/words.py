"""In which lines of a text words stand."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Protocol

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


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

    def lines_with(self, word: str) -> Sequence[int]:
        """The lines (from 1, in order) in which a word stands by itself, not as a part of a longer name."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = tuple(self._found(word)) if self._may_hold(word) else ()
        return known

    def _found(self, word: str) -> Iterator[int]:
        last = 0
        for end in ends_of(word, self._source.text):
            line = bisect_left(self._ends, end) + 1
            if line != last:
                yield line
            last = line

    @cached_property
    def _ends(self) -> list[int]:
        """The offset at which each line ends."""
        return list(accumulate(map(len, self._source.lines)))

    def _may_hold(self, word: str) -> bool:
        """Whether the word may be there; this passes over texts without it many times as fast as ``in``."""
        from stringzilla import find

        if self._utf8 is None:
            return word.isascii() and bool(find(self._source.text, word) >= 0)
        return bool(find(self._utf8, _utf8(word)) >= 0)

    @cached_property
    def _utf8(self) -> bytes | None:
        """The text as it is looked through; None where that is the text itself."""
        text = self._source.text
        return None if text.isascii() else _utf8(text)


def ends_of(word: str, text: str) -> Iterator[int]:
    """The offsets at which a word ends that stands by itself in a text."""
    place = text.find(word) if word else -1
    while place >= 0:
        end = place + len(word)
        if not (_continues(text[max(place - 1, 0) : place]) or _continues(text[end : end + 1])):
            yield end
        place = text.find(word, end)


def names_are_plain(text: str) -> bool:
    """Whether every name in a text is written in ASCII, in which it has one spelling and a clear end."""
    return text.isascii() or not any(map(_continues, set(_BEYOND_ASCII.findall(text))))


def _utf8(text: str) -> bytes:
    # Of half a surrogate pair, which utf-7 and its like decode to, stringzilla would make UTF-8 and crash.
    return text.encode("utf-8", "surrogatepass")


def _continues(character: str) -> bool:
    """Whether an identifier goes on with a character."""
    return f"a{character}".isidentifier() and character != ""
