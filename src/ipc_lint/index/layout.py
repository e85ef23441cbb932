"""Where modules lie: from the path of a file to its dotted name, and from an import to a path.

No ``sys.path`` is known. The source root of a file is the folder from which the absolute imports
found in its tree resolve; namespace folders without ``__init__.py`` need nothing more. A package that
lies beside, as in a monorepo, is found by its name if there is one of that name.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from ipc_lint.facts import Assign, Imported, ModuleFacts
from ipc_lint.facts.walk import statements


def imported_modules(facts: ModuleFacts) -> list[str]:
    """The modules that a file imports absolutely at its top level."""
    return [
        stmt.value.module
        for stmt in statements(facts.body)
        if isinstance(stmt, Assign) and isinstance(stmt.value, Imported) and stmt.value.level == 0
    ]


class Layout:
    """The files of a project and what they are called."""

    def __init__(
        self,
        root: str,
        files: Collection[str],
        imports: Mapping[str, Iterable[str]],
        stubs: Iterable[str] = (),
        folders: frozenset[str] | None = None,
    ) -> None:
        """``imports`` gives, for scouted files, the modules that they import absolutely.

        ``folders`` are those that the files lie in, where somebody knows them already.

        ``stubs`` are modules that are not there and go by ``<their name>`` as a path.
        """
        self._stubs = {f"<{module}>": module for module in stubs}
        self.root = root
        self._files = frozenset(files)
        self._folders = folders_of(self._files, root) if folders is None else folders
        self._roots: dict[str, str] = {}
        self._known: set[str] = set()
        for path, names in sorted(imports.items()):
            found = self._evidence(path, names)
            if found is not None:
                self._known.add(found)
        self._resolved: dict[tuple[str, str], str | None] = {}

    def _evidence(self, path: str, names: Iterable[str]) -> str | None:
        """The outermost folder from which an import of this file names the file's own package."""
        best: str | None = None
        tops = {name.partition(".")[0]: name for name in names if name}
        folder = os.path.dirname(path)
        while len(folder) >= len(self.root):
            parent, base = os.path.split(folder)
            name = tops.get(base)
            if name is not None and len(parent) >= len(self.root) and self._find(parent, name):
                best = parent
            if parent == folder:
                break
            folder = parent
        return best

    def root_of(self, path: str) -> str:
        """The source root of a file: the nearest one that holds it, else by ``__init__.py``."""
        folder = os.path.dirname(path)
        known = self._roots.get(folder)
        if known is None:
            known = self._roots[folder] = self._root_of(folder)
        return known

    def _root_of(self, folder: str) -> str:
        here = folder
        while len(here) >= len(self.root):
            if here in self._known:
                return here
            here = os.path.dirname(here)
        while os.path.join(folder, "__init__.py") in self._files and folder != self.root:
            folder = os.path.dirname(folder)
        return folder

    def is_stub(self, path: str) -> bool:
        """Whether a path stands for a module that is not there."""
        return path in self._stubs

    def module_name(self, path: str) -> str:
        """The dotted name of a file."""
        if path in self._stubs:
            return self._stubs[path]
        return _dotted(path, self.root_of(path))

    def name_from_root(self, path: str) -> str:
        """The dotted name of a file as it is seen from the root of the project."""
        return self._stubs.get(path) or _dotted(path, self.root)

    def resolve(self, importer: str, dotted: str, level: int) -> str | None:
        """The file or folder that an import names, or None where it leads outside the project."""
        if level:
            base = os.path.dirname(importer)
            for _ in range(level - 1):
                base = os.path.dirname(base)
            return self._find(base, dotted) if dotted else self._package(base)
        own = self.root_of(importer)
        key = (own, dotted)
        if key not in self._resolved:
            self._resolved[key] = self._absolute(own, dotted)
        found = self._resolved[key]
        # A script may import its neighbours by their bare names.
        return found if found is not None else self._find(os.path.dirname(importer), dotted)

    def _absolute(self, own: str, dotted: str) -> str | None:
        if f"<{dotted}>" in self._stubs:
            return f"<{dotted}>"
        for root in (own, *sorted(self._known), self.root):
            found = self._find(root, dotted)
            if found is not None:
                return found
        top = dotted.partition(".")[0]
        beside = self._packages.get(top, [])
        # Several of one name are copies, or have nothing to do with each other: which one is meant?
        return self._find(beside[0], dotted) if len(beside) == 1 else None

    @cached_property
    def _packages(self) -> dict[str, list[str]]:
        """The folders that each package lies in which is part of no other, wherever it lies."""
        init = f"{os.sep}__init__.py"
        folders = {path.removesuffix(init) for path in self._files if path.endswith(init)}
        found: dict[str, list[str]] = {}
        for folder in folders:
            parent, _, name = folder.rpartition(os.sep)
            if parent not in folders and name not in sys.stdlib_module_names:
                found.setdefault(name, []).append(parent)
        return found

    def _find(self, base: str, dotted: str) -> str | None:
        stem = os.path.join(base, *dotted.split("."))
        for path in (f"{stem}.py", f"{stem}.pyi"):
            if path in self._files:
                return path
        return self._package(stem)

    def _package(self, folder: str) -> str | None:
        init = os.path.join(folder, "__init__.py")
        if init in self._files:
            return init
        return folder if folder in self._folders else None


def _dotted(path: str, root: str) -> str:
    stem = os.path.splitext(os.path.relpath(path, root))[0]
    parts = stem.split(os.sep)
    if parts[-1] == "__init__" and len(parts) > 1:
        parts.pop()
    return ".".join(parts)


def folders_of(files: Iterable[str], root: str) -> frozenset[str]:
    """All folders from the root down that some files lie in."""
    seen: set[str] = set()
    for prefix in {path[: path.rfind(os.sep) + 1] for path in files}:
        folder = os.path.dirname(prefix)
        while folder not in seen and len(folder) >= len(root):
            seen.add(folder)
            folder = os.path.dirname(folder)
    return frozenset(seen)
