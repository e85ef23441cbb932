"""Where some bytes stand in others, by vector instructions: ten times as fast as ``bytes.find``."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import stringzilla

# The offset of the first place, or a negative number: ``find(data, needle, begin)``. No function of our
# own around it: each file is asked for each word.
find: Callable[..., int] = stringzilla.find


def places(data: bytes, needle: bytes) -> Iterator[int]:
    """The offsets at which a needle begins, from left to right, none of them in the one before."""
    place = find(data, needle) if needle else -1
    while place >= 0:
        yield place
        place = find(data, needle, place + len(needle))
