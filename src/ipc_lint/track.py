"""How somebody may watch long work: whoever goes through many things hands them to a ``Track``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Track(Protocol):
    """Gives the items back one by one; ``what`` says in a word what is done with them."""

    def __call__(self, what: str, items: Sequence[T]) -> Iterable[T]:
        """The same items."""


def untracked(what: str, items: Sequence[T]) -> Iterable[T]:
    """Nobody watches: the items as they are, at no cost."""
    return items
