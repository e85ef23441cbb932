"""What changed since a revision, as git knows it: which lines of which files."""

from __future__ import annotations

import difflib
import os
import subprocess
from collections.abc import Mapping, Sequence

from msgspec import Struct

from ipc_lint.model import Finding

# A hook tells git where its repository is; what is looked at here may be in another one.
_SURROUNDING = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR")


class NoHistory(Exception):
    """The changes can't be known; the message says why in one line."""


class Since:
    """The changes since one revision, in as many repositories as are looked at."""

    def __init__(self, revision: str, contents: Mapping[str, bytes] | None = None) -> None:
        """``contents`` are taken in place of what is in the files of those (absolute) paths."""
        self._revision = revision
        self._contents = contents or {}
        self._repositories: dict[str, _Repository] = {}
        self._tops: dict[str, str] = {}
        self._changes: dict[str, Changes] = {}

    def given(self, contents: Mapping[str, bytes]) -> Since:
        """The same with other contents; what is known of the repositories stays."""
        other = Since(self._revision, contents)
        other._repositories, other._tops = self._repositories, self._tops
        return other

    def must_know(self, path: str) -> None:
        """NoHistory unless the path is in a repository that has the revision."""
        self._repository(path if os.path.isdir(path) else os.path.dirname(path))

    def touches(self, finding: Finding) -> bool:
        """Whether a finding is on changed lines, or one of the places that prove it is."""
        if self._of(finding.path).touch(finding.span.line, finding.span.end_line):
            return True
        return any(self._of(place.path).touch(place.line, place.line) for place in finding.related)

    def _of(self, path: str) -> Changes:
        if path not in self._changes:
            now = self._contents.get(path)
            if now is None:
                with open(path, "rb") as file:
                    now = file.read()
            real = os.path.realpath(path) if os.path.exists(path) else path
            before = self._repository(os.path.dirname(real)).before(real)
            self._changes[path] = Changes.between(before, now)
        return self._changes[path]

    def _repository(self, folder: str) -> _Repository:
        if folder not in self._tops:
            here = folder
            while not os.path.isdir(here) and os.path.dirname(here) != here:  # it need not be there yet
                here = os.path.dirname(here)
            self._tops[folder] = _top(here)
        top = self._tops[folder]
        if top not in self._repositories:
            self._repositories[top] = _Repository(top, self._revision)
        return self._repositories[top]


class Changes(Struct, frozen=True):
    """The changed stretches of one file, first to last line; None if everything is new."""

    stretches: tuple[tuple[int, int], ...] | None

    @classmethod
    def between(cls, before: bytes | None, now: bytes) -> Changes:
        """What is different; the lines around a gap count where something was taken out."""
        if before is None:
            return cls(None)
        old, new = before.splitlines(), now.splitlines()  # whatever their ends: git may change them
        head = _common(old, new)
        tail = _common(old[head:][::-1], new[head:][::-1])
        matcher = difflib.SequenceMatcher(
            None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=False
        )
        found = []
        for what, _, _, first, end in matcher.get_opcodes():
            if what == "delete":
                found.append((head + first, head + first + 1))
            elif what != "equal":
                found.append((head + first + 1, head + end))
        return cls(tuple(found))

    def touch(self, first: int, last: int) -> bool:
        """Whether some lines are among them."""
        if self.stretches is None:
            return True
        return any(begin <= last and first <= end for begin, end in self.stretches)


class _Repository:
    """One repository as it was at the revision."""

    def __init__(self, top: str, revision: str) -> None:
        self._top = top
        if revision.startswith("-"):
            raise NoHistory(f"not a revision: {revision}")
        done = _git(top, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        if done.returncode:
            raise NoHistory(f"unknown revision: {revision}{self._shallow()}")
        self._commit = done.stdout.decode().strip()
        self._renamed = self._renames()

    def _shallow(self) -> str:
        done = _git(self._top, "rev-parse", "--is-shallow-repository")
        shallow = done.stdout.strip() == b"true"
        return " (this is a shallow clone: fetch more of its history)" if shallow else ""

    def _renames(self) -> dict[bytes, bytes]:
        """The former names of files that were renamed."""
        done = _git(self._top, "diff", "--name-status", "-z", "--find-renames", "--no-ext-diff", self._commit)
        if done.returncode:
            raise NoHistory(f"git diff failed: {done.stderr.decode(errors='replace').strip()}")
        parts = iter(done.stdout.split(b"\0"))
        found: dict[bytes, bytes] = {}
        for status in parts:
            if status[:1] in (b"R", b"C"):  # a copy is new
                old, new = next(parts), next(parts)
                if status[:1] == b"R":
                    found[new] = old
            elif status:
                next(parts)
        return found

    def before(self, path: str) -> bytes | None:
        """What a file held at the revision; None if it was not there."""
        name = os.fsencode(os.path.relpath(path, self._top).replace(os.sep, "/"))
        name = self._renamed.get(name, name)
        done = _git(self._top, "cat-file", "blob", os.fsdecode(self._commit.encode() + b":" + name))
        return None if done.returncode else done.stdout


def _top(folder: str) -> str:
    done = _git(folder, "rev-parse", "--show-toplevel")
    if done.returncode:
        raise NoHistory(f"not in a git repository: {os.path.relpath(folder)}")
    return os.path.realpath(os.fsdecode(done.stdout.rstrip(b"\n")))


def _git(folder: str, *args: str) -> subprocess.CompletedProcess[bytes]:
    environment = {name: value for name, value in os.environ.items() if name not in _SURROUNDING}
    environment["GIT_OPTIONAL_LOCKS"] = "0"
    try:
        return subprocess.run(
            ["git", *args], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True
        )
    except OSError as error:
        raise NoHistory(f"git cannot be run: {error.strerror or error}") from None


def _common(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """How many lines two texts have in common at their beginning."""
    number = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        number += 1
    return number
