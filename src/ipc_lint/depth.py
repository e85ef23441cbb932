"""Room on the stack for trees that are as deep as any that is followed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

# Enough for statements and expressions as deep as they are followed, and safe on every Python.
FRAMES = 4000


def make_room() -> None:
    """For the rest of the process."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))


@contextmanager
def at_full_depth() -> Iterator[None]:
    """As long as the block runs."""
    limit = sys.getrecursionlimit()
    make_room()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
