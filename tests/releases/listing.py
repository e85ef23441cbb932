"""The sites of a release by a plain reading of its syntax trees, which knows nothing of the linter.

It is as simple as it can be, so that it can be trusted: names are looked up in one table a file, which
holds what the file defines and imports anywhere. What a reader would tell apart and this can't is named
in the exceptions below.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

FIELDS = ("http_worker_ipc", "http_worker_ipcs")

# The receivers of other methods of that name: the address is an argument of the one, a websocket
# that of the other.
OTHER_SEND_OUTPUT = {"socket_mapping", "self.socket_mapping", "session.adapter", "adapter"}


class Spot(NamedTuple):
    """Where a site starts."""

    path: str
    line: int


_NOTED = {
    *(ast.ClassDef, ast.Assign, ast.Import, ast.ImportFrom, ast.Call),
    *(ast.FunctionDef, ast.AsyncFunctionDef),
}
_CALLED_OR_RENAMED = re.compile(rb"(\w+)(?:\(| as )")
_DERIVED_OR_ASSIGNED = re.compile(rb"[(,=]\s*(\w+)")


class Declared(NamedTuple):
    """A class: its bases, and whether it has the field of its own."""

    bases: tuple[str, ...]
    itself: bool


class File:
    """What matters of one file: its classes, what its names mean, its calls, its class tests."""

    def __init__(self, tree: Path, path: str) -> None:
        self.path = path
        self._tree = tree
        self.classes: dict[str, Declared] = {}
        self.aliases: dict[str, str] = {}
        self.calls: list[tuple[str, int]] = []
        self.gates: set[int] = set()
        self.stamps: set[int] = set()
        self._imports: list[ast.Import | ast.ImportFrom] = []
        data = (tree / path).read_bytes()
        self._names_field = any(field.encode() in data for field in FIELDS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = ast.parse(data)
        for node in ast.walk(parsed):
            if type(node) in _NOTED:
                self._note(node)

    def _note(self, node: ast.AST) -> None:
        match node:
            case ast.ClassDef():
                bases = tuple(filter(None, map(dotted, node.bases)))
                self.classes[node.name] = Declared(bases, self._names_field and _declares(node))
            case ast.Assign(targets, value):
                if isinstance(value, ast.Name):
                    names = [target.id for target in targets if isinstance(target, ast.Name)]
                    self.aliases |= {name: value.id for name in names if name != value.id}
                if any(isinstance(t, ast.Attribute) and t.attr in FIELDS for t in targets):
                    self.stamps.add(node.lineno)
            case ast.Import() | ast.ImportFrom():
                self._imports.append(node)
            case ast.Call(ast.Name() | ast.Attribute() as called):
                name = dotted(called)
                if name is not None:
                    self.calls.append((name, node.lineno))
            case ast.FunctionDef() | ast.AsyncFunctionDef() if self._names_field and _stamps(node):
                self.gates |= {test.lineno for test in _class_tests(node)}

    @cached_property
    def imports(self) -> dict[str, tuple[str, str | None]]:
        """What each imported name is: the path of a module, and a name in it or None."""
        found: dict[str, tuple[str, str | None]] = {}
        for node in self._imports:
            for alias in node.names:
                if isinstance(node, ast.Import):
                    module, inner = self._module(alias.name), None
                else:
                    package = self._absolute(node.module or "", node.level)
                    below = self._module(f"{package}.{alias.name}")
                    module, inner = (self._module(package), alias.name) if below is None else (below, None)
                if module is not None:
                    found[alias.asname or alias.name] = module, inner
        return found

    def _absolute(self, module: str, level: int) -> str:
        if not level:
            return module
        package = ".".join(self.path.split("/")[:-level])
        return f"{package}.{module}" if module else package

    def _module(self, name: str) -> str | None:
        """The path of a module of the release."""
        base = name.replace(".", "/")
        for path in (f"{base}.py", f"{base}/__init__.py"):
            if (self._tree / path).is_file():
                return path
        return None


class Release:
    """All files of a release, read when they are asked for."""

    def __init__(self, tree: Path) -> None:
        self._tree = tree
        self._data = {path: path.read_bytes() for path in sorted((tree / "sglang").rglob("*.py"))}
        self._files: dict[str, File] = {}
        self._carriers: dict[tuple[str, str], bool] = {}

    def file(self, path: str) -> File:
        """One file by its path."""
        if path not in self._files:
            self._files[path] = File(self._tree, path)
        return self._files[path]

    def holding(self, words: Iterable[str]) -> Iterator[File]:
        """The files that hold any of some words."""
        needles = [word.encode() for word in words]
        for path, data in self._data.items():
            if any(needle in data for needle in needles):
                yield self.file(path.relative_to(self._tree).as_posix())

    def naming(self, names: set[str], how: re.Pattern[bytes]) -> Iterator[File]:
        """The files in which one of some names stands in some way."""
        wanted = {name.encode() for name in names}
        for path, data in self._data.items():
            if not wanted.isdisjoint(how.findall(data)):
                yield self.file(path.relative_to(self._tree).as_posix())

    # ---------------------------------------------------------------- carriers

    def carrier_names(self) -> set[str]:
        """The names of the classes that declare the field, or derive from one that does."""
        names: set[str] = set()
        new = {name for file in self.holding(FIELDS) for name, cls in file.classes.items() if cls.itself}
        while new:
            names |= new
            new = {
                name
                for file in self.naming(new, _DERIVED_OR_ASSIGNED)
                for name in (*file.classes, *file.aliases)
                if self.is_carrier(file, name)
            } - names
        return names

    def is_carrier(self, file: File, name: str) -> bool:
        """Whether a name means such a class in a file: defined there, or imported."""
        key = file.path, name
        if key not in self._carriers:
            self._carriers[key] = False  # a class that leads back to itself
            self._carriers[key] = self._is_carrier(file, name)
        return self._carriers[key]

    def _is_carrier(self, file: File, name: str) -> bool:
        if name in file.classes:
            cls = file.classes[name]
            return cls.itself or any(self.is_carrier(file, base) for base in cls.bases)
        if name in file.aliases:
            return self.is_carrier(file, file.aliases[name])
        if name in file.imports:
            module, inner = file.imports[name]
            return inner is not None and self.is_carrier(self.file(module), inner)
        prefix, _, last = name.rpartition(".")
        module, inner = file.imports.get(prefix, ("", ""))
        return inner is None and self.is_carrier(self.file(module), last)

    # ------------------------------------------------------------------- sites

    def constructions(self) -> set[Spot]:
        """The calls of such classes by their names."""
        return {
            Spot(file.path, line)
            for file in self.naming(self.carrier_names(), _CALLED_OR_RENAMED)
            for name, line in file.calls
            if self.is_carrier(file, name)
        }

    def sends(self) -> set[Spot]:
        """The calls of ``send_output(output, recv_obj)``."""
        return {
            Spot(file.path, line)
            for file in self.holding([".send_output("])
            for name, line in file.calls
            if name.endswith(".send_output") and name.rpartition(".")[0] not in OTHER_SEND_OUTPUT
        }

    def gates(self) -> set[Spot]:
        """The class tests in functions that assign the field to something that they are given."""
        return {Spot(file.path, line) for file in self.holding(FIELDS) for line in file.gates}

    def stamps(self) -> set[Spot]:
        """The assignments to the field of something."""
        return {Spot(file.path, line) for file in self.holding(FIELDS) for line in file.stamps}


def dotted(node: ast.expr) -> str | None:
    """The source of a name or a dotted name."""
    match node:
        case ast.Name(name):
            return name
        case ast.Attribute(value, name):
            base = dotted(value)
            return None if base is None else f"{base}.{name}"
    return None


def _declares(cls: ast.ClassDef) -> bool:
    """Whether a class declares the field in its body or sets it when it is made."""
    for node in cls.body:
        match node:
            case ast.AnnAssign(ast.Name(name)) if name in FIELDS:
                return True
            case ast.FunctionDef(name="__init__"):
                if "self" in _assigned(node):
                    return True
    return False


def _assigned(function: ast.AST) -> set[str]:
    """The variables on which the field is set in a function."""
    return {
        target.value.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Attribute) and target.attr in FIELDS and isinstance(target.value, ast.Name)
    }


def _stamps(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    params = {arg.arg for arg in function.args.args} - {"self"}
    return bool(params & _assigned(function))


def _class_tests(function: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        match node:
            case ast.Call(ast.Name("isinstance")) | ast.Compare(ast.Call(ast.Name("type"))):
                yield node
