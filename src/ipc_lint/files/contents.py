"""What is in the files of a project.

The files are gone through in passes, one at a time, and nothing is kept between them: to read them
once more costs less than to hold all of them, and the memory is that of the largest.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from stat import S_ISREG
from typing import NamedTuple

from ipc_lint.cache import hashed
from ipc_lint.crew import Crew
from ipc_lint.model import Problem
from ipc_lint.needles import find
from ipc_lint.track import Track, untracked
from ipc_lint.turns import MOST

# A pipe that has taken the place of a file must not be waited for.
_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
# A file that was changed less than so many nanoseconds ago may change again and look the same: the
# clocks of file systems are coarse.
_SETTLED = 2_000_000_000
# Fewer files than this are read faster than a helper is told to.
WORTH_SHARING = 400


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


class _Request(NamedTuple):
    """Files to look through for words."""

    files: Iterable[str]
    given: Mapping[str, bytes]
    needles: Sequence[bytes]
    watched: bool


class _Found(NamedTuple):
    """The files that hold each of the words, and those that can't be read.

    Where somebody watches, also what all looked like and the hashes of those that hold a word.
    """

    held: list[list[str]]
    unread: dict[str, str]
    signatures: dict[str, Signature]
    digests: dict[str, str]


class Contents:
    """The bytes of some files; ``unread`` are those that could not be read, once somebody tried."""

    def __init__(
        self,
        files: Sequence[str],
        given: Mapping[str, bytes],
        track: Track = untracked,
        crew: Crew | None = None,
        *,
        watched: bool = False,
    ) -> None:
        """``given`` is taken in place of what is in the files of those (absolute) paths.

        ``watched``: note what each file looks like, and the hash of each in which a word is found.
        """
        self.files = files
        self._watched = watched
        self.crew = crew or Crew()
        self._given = dict(given)
        self._track = track
        self._begin = time.time_ns()
        self.unread: dict[str, Problem] = {}
        self.digests: dict[str, str] = {}  # of what was read first
        self.is_steady = True  # no file was seen to change
        self._seen: dict[str, Signature] = {}  # when it was first read

    def add(self, path: str, data: bytes) -> None:
        """Take one more file, which need not be there."""
        self.files = [*self.files, path]
        self._given[path] = data

    def signature(self, path: str) -> Signature | None:
        """What a file looked like when it was first read; None where that says nothing of what it holds."""
        seen = self._seen.get(path)
        if seen is None or max(seen.modified, seen.changed) >= self._begin - _SETTLED:
            return None
        return seen

    def is_same(self, path: str, signature: Signature) -> bool:
        """Whether a file still looks so, and is not read. Raises OSError."""
        if path in self._given or _signature(os.stat(path)) != signature:
            return False
        self._seen.setdefault(path, signature)
        return True

    def read(self, path: str) -> bytes:
        """What is in one file. Raises OSError, NotRegular for a pipe and its like."""
        given = self._given.get(path)
        if given is not None:
            return given
        status, data = _read(path)
        if self._watched:
            self._note(path, _signature(status))
        return data

    def some(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Some files that can be read, with what is in them."""
        for path in paths:
            try:
                yield path, self.read(path)
            except OSError:
                continue

    def search(
        self, needles: Sequence[bytes], what: str, files: Sequence[str] | None = None
    ) -> list[list[str]]:
        """The files that hold each of some words, in one pass over some files or all.

        ``what`` says in a word what that is for.
        """
        return self.begin(needles, what, files)()

    def begin(
        self, needles: Sequence[bytes], what: str, files: Sequence[str] | None = None
    ) -> Callable[[], list[list[str]]]:
        """The same, begun by the helpers at once; what is handed back takes part, and waits."""
        files = self.files if files is None else files
        members = min(self.crew.size, max(1, len(files) // WORTH_SHARING))
        step = max(1, -(-len(files) // MOST))
        parts = [files[at : at + step] for at in range(0, len(files), step)]
        requests = [_Request(part, self._given_in(part), needles, self._watched) for part in parts]
        finish = self.crew.share(_search, requests, members=members, watched=self._track(what, requests))

        def held() -> list[list[str]]:
            found: list[list[str]] = [[] for _ in needles]
            for part in finish():
                for mine, theirs in zip(found, part.held, strict=True):
                    mine += theirs
                for path, message in part.unread.items():
                    self.unread[path] = Problem(path, message)
                for path, signature in part.signatures.items():
                    self._note(path, signature)
                self.digests = part.digests | self.digests
            return found

        return held

    def _given_in(self, files: Sequence[str]) -> dict[str, bytes]:
        return {path: self._given[path] for path in self._given.keys() & set(files)} if self._given else {}

    def _note(self, path: str, now: Signature) -> None:
        self.is_steady = self.is_steady and self._seen.setdefault(path, now) == now


def _search(request: _Request) -> _Found:
    held: list[list[str]] = [[] for _ in request.needles]
    found = _Found(held, {}, {}, {})
    pairs = list(zip(request.needles, held, strict=True))
    for path in request.files:
        data = request.given.get(path)
        if data is None:
            try:
                status, data = _read(path)
            except OSError as error:
                found.unread[path] = error.strerror or str(error)
                continue
            if request.watched:
                found.signatures[path] = _signature(status)
        for needle, paths in pairs:
            if find(data, needle) >= 0:
                paths.append(path)
                if request.watched and path not in found.digests:
                    found.digests[path] = hashed([data])
    return found


def _signature(status: os.stat_result) -> Signature:
    return Signature(status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)


def _read(path: str) -> tuple[os.stat_result, bytes]:
    """What is in a file, and what it looked like just before. Raises OSError."""
    descriptor = os.open(path, _READ)
    try:
        status = os.fstat(descriptor)
        if not S_ISREG(status.st_mode):
            raise NotRegular
        data = os.read(descriptor, status.st_size + 1)
        if len(data) != status.st_size:  # it grew, or is larger than one reading gives
            parts = [data]
            while parts[-1]:
                parts.append(os.read(descriptor, 1 << 20))
            data = b"".join(parts)
    finally:
        os.close(descriptor)
    return status, data
