"""Which files use something that matters: call a name, hand it on, import from a module."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from itertools import chain

from ipc_lint.files.words import Words, needle
from ipc_lint.index.project import Module
from ipc_lint.uses import is_used, uses


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
            self._named[name] = [path for path, data in self._held(name) if is_used(data, word)]
        return self._named[name]

    def users(self, module: Module, names: set[str]) -> list[str]:
        """The files that import any of the names from where a module defines them, and use it."""
        key = (module.path, frozenset(names))
        if key not in self._users:
            last = last_part(module)
            wanted = set(map(needle, names))
            inside = self._inside(module, last) if module.is_package else ()
            is_meant = partial(_leads_to, module)
            self._users[key] = [
                path
                for path, data in chain(self._held(last), inside)
                if uses(
                    path, data, needle(last), wanted, partial(is_meant, path), is_package=module.is_package
                )
            ]
        return self._users[key]

    def _inside(self, module: Module, last: str) -> Iterator[tuple[str, bytes]]:
        """The other files of a package, which may take something from it by dots alone."""
        held, folder = set(self._words.holders(last)), os.path.join(os.path.dirname(module.path), "")
        inside = (path for path in self._words.contents.files if path.startswith(folder))
        return self._words.contents.some(path for path in inside if path not in held)


def last_part(module: Module) -> str:
    """The word that every import of a module has in it, but for one by dots alone."""
    return module.name.rpartition(".")[2]


def _leads_to(module: Module, path: str, dotted: str, level: int) -> bool:
    """Whether an import in a file leads to a module."""
    return module.project.layout.resolve(path, dotted, level) == module.path
