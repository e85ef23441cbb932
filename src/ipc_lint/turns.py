"""Parts of shared work, taken in turns: each by whichever process is free first.

How long a part takes is not known beforehand, and a processor that somebody else uses, too, is slower
than its neighbour. So nothing is dealt out: who has done a part takes the next.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heapreplace
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext

T = TypeVar("T")
R = TypeVar("R")

MOST = 256  # so many parts can be told apart: a turn is one byte in a pipe


class Turns:
    """Hands out the places of some parts, each once, to this process and to others that have it, too."""

    def __init__(self, context: BaseContext) -> None:
        """Raises OSError where there is no further pipe to be had."""
        self._end, self._begin = context.Pipe(duplex=False)
        os.set_blocking(self._end.fileno(), False)

    def lay_out(self, number: int) -> None:
        """Let so many parts be taken; all that were laid out before have to be."""
        os.write(self._begin.fileno(), bytes(range(number)))

    def taken(self) -> Iterator[int]:
        """The places of the parts that fall to whoever asks, until none is left."""
        while True:
            try:
                turn = os.read(self._end.fileno(), 1)  # no two processes are given the same byte
            except BlockingIOError:
                return
            if not turn:
                return
            yield turn[0]

    def close(self) -> None:
        """Nothing more is laid out or taken."""
        self._end.close()
        self._begin.close()


def dealt(number: int, members: int) -> list[range]:
    """The places of so many parts, dealt out beforehand: for processes that can't take turns."""
    return [range(place, number, members) for place in range(members)]


def done(places: Iterable[int], task: Callable[[T], R], parts: Sequence[T]) -> list[tuple[int, R]]:
    """What ``task`` makes of the parts at some places, each with its place."""
    return [(place, task(parts[place])) for place in places]


def shares(items: Iterable[T], number: int, weight: Callable[[T], int]) -> list[list[T]]:
    """At most so many lists of about the same weight; none is empty."""
    found: list[list[T]] = [[] for _ in range(number)]
    totals = [(0, place) for place in range(number)]
    for item in sorted(items, key=weight, reverse=True):
        total, lightest = totals[0]
        found[lightest].append(item)
        heapreplace(totals, (total + weight(item), lightest))
    return [share for share in found if share]
