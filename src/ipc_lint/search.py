"""Which files use something that matters: call a name, hand it on, import from a module.

A pattern only looks where the word was found: a regular expression over every byte costs eight times
as much as ``in``, and a hundred times as much as what looks here.
"""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF8
from collections.abc import Iterator

from ipc_lint.files.words import Words, needle
from ipc_lint.index.project import Module
from ipc_lint.needles import places

_WORD = re.compile(rb"\w+")
# What stands on a line that imports from a module: `from [.]package.module import (a, b)`.
_FROM = re.compile(rb"\s*from\s+(\.*)((?:\w+\.)*\w+)\s+import\s+(\([^)]*\)|[^\n]*)")
_USED, _TAKEN = re.compile(rb"\s*[(,)]"), re.compile(rb"\s*[(,)\n]")
_CALLED = re.compile(rb"\s*\(|\s+as\b")
_BASES = re.compile(rb"class\s+\w+\s*(?:\[[^]]*\])?\([^)]*")
_IMPORT = re.compile(rb"\s*(?:from\s+[\w.]+\s+)?import\b")


class Search:
    """Asks about the use of names; answers are remembered."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._named: dict[str, list[str]] = {}
        self._users: dict[tuple[str, frozenset[str]], list[str]] = {}

    def _held(self, word: str) -> Iterator[tuple[str, bytes]]:
        """The files that hold a word, and what is in them."""
        return self._words.contents.some(self._words.holders(word))

    def named(self, name: str) -> list[str]:
        """The files in which something of that name is called, passed on or taken."""
        if name not in self._named:
            word = needle(name)
            self._named[name] = [
                path
                for path, data in self._held(name)
                if any(_USED.match(data, place + len(word)) for place in _places(data, word))
            ]
        return self._named[name]

    def users(self, module: Module, names: set[str]) -> list[str]:
        """The files that import any of the names from where a module defines them, and use it."""
        key = (module.path, frozenset(names))
        if key not in self._users:
            last = last_part(module)
            wanted = set(map(needle, names))
            self._users[key] = [
                path for path, data in self._held(last) if _uses(path, data, needle(last), module, wanted)
            ]
        return self._users[key]


def last_part(module: Module) -> str:
    """The word that every import of a module has in it."""
    return module.name.rpartition(".")[2]


def _uses(path: str, data: bytes, last: bytes, module: Module, names: set[bytes]) -> bool:
    """Whether a file calls or renames one of the names, or hands it on to others."""
    as_module = False
    for start in _import_lines(data, last):
        found = _FROM.match(data, start)
        if found is None or not found[2].endswith(last):
            as_module = True  # `import package.module`, `from package import module`
            continue
        if module.project.layout.resolve(path, found[2].decode(), len(found[1])) != module.path:
            continue
        if found[3].strip() == b"*":
            return True
        mine = [word for word in _WORD.findall(found[3]) if word in names]
        if mine and (os.path.basename(path) == "__init__.py" or _is_used(data, mine)):
            return True
    return as_module and any(
        _TAKEN.match(data, place + len(after))
        for after in (b"." + name for name in names)
        for place in places(data, after)
    )


def _is_used(data: bytes, names: list[bytes]) -> bool:
    """Whether one of some names is called, renamed, given another name, or derived from."""
    return any(_is_use(data, place, place + len(name)) for name in names for place in _places(data, name))


def _is_use(data: bytes, start: int, end: int) -> bool:
    """Whether a name that stands from ``start`` to ``end`` is used there in one of these ways."""
    if _CALLED.match(data, end):
        return True
    if data[start - 1 : start] == b"." or _WORD.match(data, end):
        return False
    return _before(data, start) == b"=" or _is_base(data, start)


def _before(data: bytes, place: int) -> bytes:
    """The last byte before a place that is no space."""
    while data[place - 1 : place].isspace():
        place -= 1
    return data[place - 1 : place]


def _is_base(data: bytes, place: int) -> bool:
    """Whether a place is between the brackets of a class statement."""
    opened = data.rfind(b")", 0, place) + 1
    start = place
    while (start := data.rfind(b"class", opened, start)) >= 0:
        if _BASES.fullmatch(data, start, place) and not _WORD.match(data, start - 1, start):
            return True
    return False


def _places(data: bytes, word: bytes) -> Iterator[int]:
    """Where a word begins, but not inside a longer one that ends in it."""
    return (place for place in places(data, word) if not _WORD.match(data, place - 1, place))


def _import_lines(data: bytes, word: bytes) -> Iterator[int]:
    """The starts of the import lines that hold a word."""
    for place in places(data, word):
        start = data.rfind(b"\n", 0, place) + 1
        start = max(start, data.rfind(b"\r", start, place) + 1)
        if not start and data.startswith(BOM_UTF8):
            start = len(BOM_UTF8)
        if _IMPORT.match(data, start):
            yield start
