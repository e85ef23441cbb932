"""What a result was made from, and whether that is still so.

A result holds as long as the files are the same in which a word stands that was looked for, and in
no other file such a word has come to stand. A file whose size, times and number are what they were
is not even read, as git does it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from ipc_lint.cache import hashed
from ipc_lint.files.contents import Contents, Signature
from ipc_lint.files.words import needle

# The signature (None: it changed so lately that it says nothing), and the hash of the content of a
# file that holds a word.
_State: TypeAlias = "tuple[Signature | None, str | None]"


class Snapshot(NamedTuple):
    """The words with the places of the files that hold them, and the state of each file, in order."""

    words: dict[str, list[int]]
    states: tuple[_State, ...]

    @classmethod
    def taken(cls, contents: Contents, files: Sequence[str], held: Mapping[str, Collection[str]]) -> Snapshot:
        """The files as they were first read in this run; ``held`` are those in which each word stands.

        What came later is no part of it: the next run will see that something has changed.
        """
        places = {path: place for place, path in enumerate(files)}
        words = {word: [places[path] for path in paths if path in places] for word, paths in held.items()}
        some = {place for found in words.values() for place in found}
        states = (
            (contents.signature(path), contents.digests[path] if place in some else None)
            for place, path in enumerate(files)
        )
        return cls(words, tuple(states))

    @classmethod
    def loaded(cls, value: Any) -> Snapshot:
        """The one that was remembered. Raises TypeError or ValueError for anything else."""
        words, states = value
        made = tuple((None if s is None else Signature(*s), found) for s, found in states)
        return cls({word: list(map(int, places)) for word, places in dict(words).items()}, made)

    def compared(self, contents: Contents, files: Sequence[str]) -> tuple[Snapshot, list[str]]:
        """The same with the states of now, and the files that make a difference.

        Raises ValueError if it is of other files.
        """
        needles = [needle(word) for word in self.words]
        states: list[_State] = []
        changed: list[str] = []
        for path, (known, found) in zip(files, self.states, strict=True):
            try:
                if known is not None and contents.is_same(path, known):
                    states.append((known, found))
                    continue
                data = contents.read(path)
            except OSError:
                states.append((None, None))
                changed.append(path)
                continue
            states.append((contents.signature(path), found))
            if found != hashed([data]) if found else any(word in data for word in needles):
                changed.append(path)
        others = set(changed)
        for path, (_, found) in zip(files, states, strict=True):
            if found is not None and path not in others:
                contents.digests[path] = found
        return Snapshot(self.words, tuple(states)), changed

    def holders(self, files: Sequence[str], changed: Collection[str]) -> dict[str, list[str]]:
        """The files that hold each word still, those aside that changed.

        Raises LookupError if it is of other files.
        """
        others = set(changed)
        return {
            word: [files[place] for place in places if files[place] not in others]
            for word, places in self.words.items()
        }
