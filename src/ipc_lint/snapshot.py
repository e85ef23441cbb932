"""What a result was made from, and whether that is still so.

A result holds as long as the files are the same in which a word stands that was looked for, and in
no other file such a word has come to stand. A file whose size, times and number are what they were
is not even read, as git does it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias

from ipc_lint.files.contents import Contents, Signature, signature_of
from ipc_lint.files.words import needle

# The signature (None: it changed so lately that it says nothing), and the hash of the content of a
# file that holds a word.
_State: TypeAlias = "tuple[Signature | None, str | None]"


class Snapshot(NamedTuple):
    """The words, and the state of each file, in order of the files."""

    words: tuple[str, ...]
    states: tuple[_State, ...]

    @classmethod
    def taken(
        cls, contents: Contents, files: Sequence[str], words: Iterable[str], held: set[str]
    ) -> Snapshot:
        """The files as they were read in this run; ``held`` are those in which a word stands.

        Raises OSError if one of them is gone.
        """
        states = (
            (contents.signatures.get(path), _hash(contents.read(path)) if path in held else None)
            for path in files
        )
        return cls(tuple(words), tuple(states))

    @classmethod
    def loaded(cls, value: Any) -> Snapshot:
        """The one that was remembered. Raises TypeError or ValueError for anything else."""
        words, states = value
        made = tuple((None if s is None else Signature(*s), found) for s, found in states)
        return cls(tuple(map(str, words)), made)

    def renewed(self, contents: Contents, files: Sequence[str]) -> Snapshot | None:
        """The same as of now; None if it is no longer so."""
        needles = [needle(word) for word in self.words]
        states: list[_State] = []
        try:
            for path, (known, found) in zip(files, self.states, strict=True):
                if known is not None and not contents.is_given(path) and signature_of(path) == known:
                    states.append((known, found))
                    continue
                data = contents.read(path)
                if found != _hash(data) if found else any(word in data for word in needles):
                    return None
                states.append((contents.signatures.get(path), found))
        except (OSError, ValueError):
            return None
        return Snapshot(self.words, tuple(states))


def _hash(data: bytes) -> str:
    return sha256(data).hexdigest()[:32]
