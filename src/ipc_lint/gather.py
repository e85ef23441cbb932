"""Which files matter: a search over bytes in rounds, and the scout over what it leaves.

The first round asks for the field's name. What those files define (the modules of carriers, the
methods that stamp and send) is asked for next, until nothing is added. A file that holds none of
the names is never parsed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from ipc_lint.contract.infer import Contract
from ipc_lint.contract.nouns import FieldPair
from ipc_lint.facts import Body, Imported, ModuleFacts
from ipc_lint.facts.body import TooDeep
from ipc_lint.facts.scout import scout
from ipc_lint.files.source import Source, Unreadable
from ipc_lint.index.infer import Inference
from ipc_lint.index.layout import Layout
from ipc_lint.index.project import Module, Project
from ipc_lint.model import Problem


@dataclass(slots=True)
class Gathered:
    """The scouted project, the sources behind it, and what could not be read."""

    infer: Inference
    contracts: list[Contract]
    sources: dict[str, Source]
    problems: list[Problem] = field(default_factory=list)


class Gatherer:
    """Reads and scouts the files of one project."""

    def __init__(
        self,
        root: str,
        files: Sequence[str],
        fields: Sequence[FieldPair],
        stubs: Mapping[str, str] | None = None,
    ) -> None:
        """``stubs`` stand in for modules that the project imports and does not hold."""
        self._root = root
        self._stubs = dict(stubs or {})
        self._files = files
        self._fields = fields
        self._sources: dict[str, Source] = {}
        self._facts: dict[str, ModuleFacts] = {}
        self._problems: dict[str, Problem] = {}
        self._data: dict[str, bytes] = {}
        self._bodies: dict[str, dict[str, Body]] = {}
        self._holders: dict[str, list[str]] = {}
        self._users: dict[tuple[str, frozenset[str]], set[str]] = {}

    def gather(self) -> Gathered:
        """Search and scout until a round adds no file."""
        self._read()
        new = self._stand_in()
        words = {name for pair in self._fields for name in pair.names}
        new += self._holding(words)
        while True:
            self._scout(new)
            infer, contracts = self._join()
            new = [path for path in self._wanted(contracts) if path not in self._sources]
            if not new:
                return Gathered(
                    infer, contracts, self._sources, sorted(self._problems.values(), key=lambda p: p.path)
                )

    def _read(self) -> None:
        for path in self._files:
            try:
                with open(path, "rb") as file:
                    self._data[path] = file.read()
            except OSError as error:
                self._problems[path] = Problem(path, error.strerror or str(error))

    def _stand_in(self) -> list[str]:
        """Take the stubs of modules that some file imports and no file is; their paths."""
        endings = {module: "/" + module.replace(".", "/") + ".py" for module in self._stubs}
        held = any(path.replace(os.sep, "/").endswith(tuple(endings.values())) for path in self._files)
        needles = [module.encode() for module in self._stubs]
        if held or not any(needle in data for needle in needles for data in self._data.values()):
            self._stubs = {}
        for module, text in self._stubs.items():
            self._data[f"<{module}>"] = text.encode()
        return [f"<{module}>" for module in self._stubs]

    def _holding(self, words: Iterable[str]) -> list[str]:
        needles = [word.encode() for word in words]
        # The batch field's name holds the single one's: the shortest are enough.
        needles = [n for n in needles if not any(other != n and other in n for other in needles)]
        return [path for path, data in self._data.items() if any(needle in data for needle in needles)]

    def _scout(self, paths: Iterable[str]) -> None:
        for path in paths:
            source = Source(path, self._data[path])
            self._sources[path] = source
            try:
                self._facts[path] = scout(path, source.parse())
            except Unreadable as error:
                self._problems[path] = Problem(path, error.message)
            except (TooDeep, RecursionError):
                self._problems[path] = Problem(path, "nested too deeply to be checked")

    def _join(self) -> tuple[Inference, list[Contract]]:
        imports = {path: _imported_modules(facts) for path, facts in self._facts.items()}
        project = Project(Layout(self._root, self._files, imports, self._stubs))
        for path in sorted(self._facts):
            source = self._sources[path]
            bodies = self._bodies.setdefault(path, {})
            project.add(self._facts[path], partial(getattr, source, "lines"), bodies)
        infer = Inference(project)
        return infer, [Contract(infer, pair) for pair in self._fields]

    def _wanted(self, contracts: Iterable[Contract]) -> list[str]:
        """The files that may build, send or stamp without naming the field."""
        wanted: set[str] = set()
        for contract in contracts:
            wanted |= self._users_of_functions(contract)
            wanted |= self._users_of_classes(contract)
        return sorted(wanted)

    def _users_of_functions(self, contract: Contract) -> set[str]:
        """The files that name a sender, a copying stamper, or the class it is a method of."""
        functions = [f for f, stamper in contract.stampers.items() if stamper.origin is not None]
        functions += contract.senders
        names = {f.name for f in functions} | {f.owner.short for f in functions if f.owner is not None}
        return {path for name in names for path in self._named(name)}

    def _named(self, name: str) -> list[str]:
        """The files in which something of that name is called, passed on or taken."""
        if name not in self._holders:
            needle = name.encode()
            # A word boundary in front would cost the fast search for the literal.
            used = re.compile(rb"%s(?<!\w%s)\s*[(,)]" % (needle, needle))
            self._holders[name] = [
                path for path, data in self._data.items() if needle in data and used.search(data)
            ]
        return self._holders[name]

    def _users_of_classes(self, contract: Contract) -> set[str]:
        """The files that import a carrier from where it is defined, and call it or rename it."""
        modules: dict[Module, set[str]] = {}
        for cls in contract.carriers:
            modules.setdefault(cls.module, set()).add(cls.short)
        for module in contract.project.modules.values():
            if module.facts.stars or os.path.basename(module.path) == "__init__.py":
                handed_on = contract.names_in(module)
                if handed_on:
                    modules.setdefault(module, set()).update(handed_on)
        found: set[str] = set()
        for module, names in modules.items():
            key = (module.path, frozenset(names))
            if key not in self._users:
                self._users[key] = self._users_of(module, names)
            found |= self._users[key]
        return found

    def _users_of(self, module: Module, names: set[str]) -> set[str]:
        last = module.name.rpartition(".")[2].encode()
        imports = re.compile(_IMPORT % last)
        return {
            path
            for path, data in self._data.items()
            if last in data and path not in self._sources and self._builds(path, data, module, names, imports)
        }

    def _builds(
        self, path: str, data: bytes, module: Module, names: set[str], imports: re.Pattern[bytes]
    ) -> bool:
        layout = module.project.layout
        for dots, dotted, taken in imports.findall(data):
            level = len(dots)
            if layout.resolve(path, dotted.decode(), level) != module.path:
                continue
            if taken.strip() == b"*":
                return True
            mine = [word for word in _WORD.findall(taken) if word.decode() in names]
            if mine and os.path.basename(path) == "__init__.py":
                return True  # a package that hands the name on
            if mine and re.search(rb"\b(?:%s)\b(?:\s*\(|\s+as\b)" % b"|".join(mine), data):
                return True
        # `import package.module` or `from package import module`, then `module.Name(...)`.
        last = module.name.rpartition(".")[2].encode()
        called = re.compile(rb"\b\w+\.(?:%s)\s*\(" % b"|".join(sorted(n.encode() for n in names)))
        return re.search(rb"\bimport\b[^\n]*\b%s\b" % last, data) is not None and (
            called.search(data) is not None
        )


_WORD = re.compile(rb"\w+")
# `from [.]package.module import (a, b)`; the module's last name is filled in.
_IMPORT = rb"from\s+(\.*)((?:\w+\.)*%s)\s+import\s+(\([^)]*\)|[^\n]*)"


def _imported_modules(facts: ModuleFacts) -> list[str]:
    """The modules that a file imports absolutely at its top level."""
    return [
        value.module
        for values in facts.bindings.values()
        for value in values
        if isinstance(value, Imported) and value.level == 0
    ]
