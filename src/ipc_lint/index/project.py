"""The facts of all files joined: modules by the names they are imported under, classes, functions.

Nothing here reads a file: sources come in as text. A name is resolved the way Python would do it,
from the importing file outwards; what leads outside the scouted files is an :class:`External`.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cached_property

from ipc_lint.facts import (
    At,
    AttrAssign,
    Body,
    Expr,
    Field,
    Function,
    Imported,
    ModuleFacts,
)
from ipc_lint.facts.words import Text
from ipc_lint.index.classes import ClassInfo
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.layout import Layout

MODULE = "<module>"


class Module:
    """One scouted file."""

    def __init__(
        self,
        project: Project,
        path: str,
        facts: ModuleFacts,
        text: Text,
        bodies: dict[str, Body],
    ) -> None:
        self.project = project
        self.bodies = bodies
        self.unfollowed: list[int] = []  # the lines of functions that are nested too deeply
        self.facts = facts
        self.path = path
        self.name = project.layout.module_name(path)
        self.functions = {f.qualname: FunctionInfo(self, f) for f in facts.functions}
        self.classes = {c.qualname: ClassInfo(self, c) for c in facts.classes}
        self.text = text

    def __repr__(self) -> str:
        return f"<module {self.name} in {self.path}>"

    @property
    def is_package(self) -> bool:
        """Whether it is what stands in the ``__init__.py`` of a folder."""
        return os.path.basename(self.path) == "__init__.py"

    @cached_property
    def names(self) -> frozenset[str]:
        """What the user may call it: as it is imported, or as it lies in the project."""
        return frozenset([self.name, self.project.layout.name_from_root(self.path)])

    @cached_property
    def lines(self) -> list[str]:
        """The source, line by line, ends kept."""
        return self.text.lines

    @cached_property
    def toplevel(self) -> FunctionInfo:
        """What runs on import, as a function without parameters."""
        facts = Function(MODULE, None, None, (), None, (), At(1, 0, len(self.lines) + 1, 0), 1)
        return FunctionInfo(self, facts, self.facts.body)

    def written(self, expr: Expr) -> tuple[str, ...] | None:
        """The names that an expression of this module stands for, where they are written somewhere."""
        from ipc_lint.index.written import written_names

        return written_names(expr, self)

    @cached_property
    def _starts(self) -> list[tuple[int, FunctionInfo]]:
        return sorted(
            ((f.facts.at.line, f) for f in self.functions.values()),
            key=lambda pair: (pair[0], -pair[1].facts.at.end_line),
        )

    def function_at(self, line: int) -> FunctionInfo:
        """The innermost function whose lines hold ``line``, or the module's own statements."""
        starts = self._starts
        place = bisect_right(starts, line, key=lambda pair: pair[0]) - 1
        while place >= 0:
            function = starts[place][1]
            if function.facts.at.end_line >= line:
                return function
            place -= 1
        return self.toplevel

    def functions_at(self, line: int) -> Iterator[FunctionInfo]:
        """The innermost function at a line, and those that evaluate it if it is in a head."""
        function: FunctionInfo | None = self.function_at(line)
        while function is not None:
            yield function
            function = function.enclosing if line <= function.facts.body_line else None


class Project:
    """All scouted files under one root."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.modules: dict[str, Module] = {}
        self._mentions: dict[str, tuple[FunctionInfo, ...]] = {}
        self._handing_on: dict[str, tuple[FunctionInfo, ...]] = {}

    def add(
        self,
        path: str,
        facts: ModuleFacts,
        text: Text,
        bodies: dict[str, Body] | None = None,
    ) -> None:
        """Join one more file; call before anything is asked.

        ``bodies`` remembers lowered bodies from one project to the next with the same file.
        """
        self.modules[path] = Module(self, path, facts, text, {} if bodies is None else bodies)

    @cached_property
    def functions(self) -> tuple[FunctionInfo, ...]:
        """Every function, in order of file and place."""
        return tuple(f for module in self.modules.values() for f in module.functions.values())

    @cached_property
    def classes(self) -> tuple[ClassInfo, ...]:
        """Every class, in order of file and place."""
        return tuple(c for module in self.modules.values() for c in module.classes.values())

    @cached_property
    def methods(self) -> Mapping[str, tuple[FunctionInfo, ...]]:
        """Methods by their bare name."""
        found: dict[str, list[FunctionInfo]] = {}
        for function in self.functions:
            if function.facts.owner is not None:
                found.setdefault(function.name, []).append(function)
        return {name: tuple(group) for name, group in found.items()}

    @cached_property
    def attributes(self) -> Mapping[str, tuple[tuple[FunctionInfo, AttrAssign], ...]]:
        """Assignments to attributes, by the attribute's name, with the function they stand in."""
        found: dict[str, list[tuple[FunctionInfo, AttrAssign]]] = {}
        for module in self.modules.values():
            for assign in module.facts.attributes:
                found.setdefault(assign.name, []).append((module.functions[assign.scope], assign))
        return {name: tuple(group) for name, group in found.items()}

    @cached_property
    def declarations(self) -> Mapping[str, tuple[tuple[ClassInfo, Field], ...]]:
        """Annotated fields of class bodies, by name."""
        found: dict[str, list[tuple[ClassInfo, Field]]] = {}
        for cls in self.classes:
            for field in cls.facts.fields:
                if field.annotation is not None:
                    found.setdefault(field.name, []).append((cls, field))
        return {name: tuple(group) for name, group in found.items()}

    def module_of(self, importer: Module, what: Imported) -> str | Module | None:
        """The module that an import names.

        A scouted one, the path of one that is not scouted, or None where it leads outside.
        """
        path = self.layout.resolve(importer.path, what.module, what.level)
        return None if path is None else self.modules.get(path, path)

    def submodule(self, importer: Module, what: Imported) -> str | Module | None:
        """The module that ``from package import name`` may mean."""
        dotted = f"{what.module}.{what.name}" if what.module else what.name or ""
        path = self.layout.resolve(importer.path, dotted, what.level)
        return None if path is None else self.modules.get(path, path)

    def mentions(self, word: str) -> tuple[FunctionInfo, ...]:
        """The innermost functions whose lines hold a word, in order of file and place.

        What stands in the head of a nested function is also said by the function around it.
        """
        known = self._mentions.get(word)
        if known is None:
            known = self._mentions[word] = tuple(self._search(word))
        return known

    def handing_on(self, name: str) -> tuple[FunctionInfo, ...]:
        """The functions that may do something else with what has a name than to call it."""
        known = self._handing_on.get(name)
        if known is None:
            known = tuple(function for function in self.mentions(name) if function.may_hand_on(name))
            self._handing_on[name] = known
        return known

    def _search(self, word: str) -> Iterator[FunctionInfo]:
        for module in self.modules.values():
            seen: set[FunctionInfo] = set()
            for line in module.text.lines_with(word):
                for function in module.functions_at(line):
                    if function not in seen:
                        seen.add(function)
                        yield function

    def same_package(self, one: Module, other: Module) -> bool:
        """Whether two files belong to one copy of the code (no vendored or built duplicate).

        What stands in for a package that is not there belongs to every copy that imports it.
        """
        if self.layout.is_stub(one.path) or self.layout.is_stub(other.path):
            return True
        return self.layout.root_of(one.path) == self.layout.root_of(other.path)
