"""What is in the files of a project.

The files are gone through in passes, one at a time, and nothing is kept between them: to read them
once more costs less than to hold all of them, and the memory is that of the largest.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from stat import S_ISREG
from typing import NamedTuple

from ipc_lint.model import Problem
from ipc_lint.track import Track, untracked

_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0)


# A file that was changed less than so many nanoseconds ago may change again and look the same: the
# clocks of file systems are coarse.
_SETTLED = 2_000_000_000


class Signature(NamedTuple):
    """What tells whether a file was touched: times in nanoseconds, bytes, and its number on the disk."""

    modified: int
    changed: int
    size: int
    number: int


class NotRegular(OSError):
    """A pipe, a socket or a device: it would never end."""

    def __init__(self) -> None:
        super().__init__(None, "is not a regular file")


class Contents:
    """The bytes of some files; ``unread`` are those that could not be read, once somebody tried."""

    def __init__(self, files: Sequence[str], given: Mapping[str, bytes], track: Track = untracked) -> None:
        """``given`` is taken in place of what is in the files of those (absolute) paths."""
        self.files = files
        self._given = dict(given)
        self._track = track
        self._begin = time.time_ns()
        self.unread: dict[str, Problem] = {}
        self.signatures: dict[str, Signature | None] = {}  # as it was first read; None where it says nothing
        self.is_steady = True  # no file was seen to change

    def add(self, path: str, data: bytes) -> None:
        """Take one more file, which need not be there."""
        self.files = [*self.files, path]
        self._given[path] = data

    def is_given(self, path: str) -> bool:
        """Whether something is taken in place of what is in a file."""
        return path in self._given

    def read(self, path: str) -> bytes:
        """What is in one file. Raises OSError, NotRegular for a pipe and its like."""
        given = self._given.get(path)
        if given is not None:
            return given
        status = os.stat(path)
        if not S_ISREG(status.st_mode):
            raise NotRegular
        now = _signature(status)
        before = self.signatures.setdefault(path, now if self._is_settled(now) else None)
        self.is_steady = self.is_steady and before in (None, now)
        return _read(path, status.st_size)

    def _is_settled(self, signature: Signature) -> bool:
        return max(signature.modified, signature.changed) < self._begin - _SETTLED

    def all(self, what: str) -> Iterator[tuple[str, bytes]]:
        """Every file that can be read, with what is in it; ``what`` says in a word what that is for."""
        for path in self._track(what, self.files):
            try:
                data = self.read(path)
            except OSError as error:
                self.unread[path] = Problem(path, error.strerror or str(error))
            else:
                yield path, data

    def some(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """The same for some files; one that is gone by now is left out."""
        for path in paths:
            try:
                yield path, self.read(path)
            except OSError:
                continue


def signature_of(path: str) -> Signature:
    """The signature of a file. Raises OSError."""
    return _signature(os.stat(path))


def _signature(status: os.stat_result) -> Signature:
    return Signature(status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)


def _read(path: str, size: int) -> bytes:
    descriptor = os.open(path, _READ)
    try:
        data = os.read(descriptor, size + 1)
        if len(data) == size:
            return data
        parts = [data]  # it grew, or is larger than one reading gives
        while parts[-1]:
            parts.append(os.read(descriptor, 1 << 20))
        return b"".join(parts)
    finally:
        os.close(descriptor)
