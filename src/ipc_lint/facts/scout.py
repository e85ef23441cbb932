"""One file's source to its declarations: classes, functions, attributes, what the module binds.

Declarations are found by walking statement bodies, never the whole tree, and the tree is dropped
as soon as the facts are made. What a function does is lowered later, if somebody asks
(:mod:`ipc_lint.facts.body`); where it is clear that somebody will, it is lowered at once: to parse
it a second time would cost more.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from ipc_lint.facts import (
    Assign,
    AttrAssign,
    Body,
    Class,
    Field,
    Function,
    If,
    Imported,
    Keyword,
    Local,
    ModuleFacts,
    Name,
)
from ipc_lint.facts.body import Statements, TooDeep
from ipc_lint.facts.lower import at, lower, lower_all, lower_annotation, lower_params


def scout(tree: ast.Module, lines: Sequence[int] = ()) -> tuple[ModuleFacts, dict[str, Body]]:
    """The facts of one parsed file; the tree may be dropped afterwards.

    With them go the bodies of the functions that hold one of ``lines`` (in order), by their key.
    """
    declarations = _Declarations(lines)
    declarations.visit(tree.body, "", None, None)
    body = Statements().block(tree.body)
    facts = ModuleFacts(
        tuple(declarations.functions),
        tuple(declarations.classes),
        tuple(declarations.attributes),
        body,
        tuple(_stars(tree.body)),
    )
    return facts, declarations.bodies


# The most frequent statements that hold no others.
_SIMPLE = frozenset([ast.Expr, ast.Return, ast.ImportFrom, ast.Import, ast.AugAssign, ast.Raise, ast.Pass])


class _Declarations:
    """Collects what is declared, wherever it stands."""

    def __init__(self, lines: Sequence[int]) -> None:
        self._lines = lines
        self.functions: list[Function] = []
        self.classes: list[Class] = []
        self.attributes: list[AttrAssign] = []
        self.bodies: dict[str, Body] = {}

    def visit(self, nodes: Iterable[ast.stmt], prefix: str, owner: str | None, scope: str | None) -> None:
        """The declarations of a run of statements, which stand in a class or a function or neither."""
        for node in nodes:
            if type(node) in _SIMPLE:
                continue
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self._function(node, prefix + node.name, owner, scope)
            elif isinstance(node, ast.ClassDef):
                self._class(node, prefix + node.name, owner, scope)
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                if scope is not None:
                    self._attribute(node, scope)
            else:
                for block in _blocks(node):
                    self.visit(block, prefix, owner, scope)

    def _function(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef,
        qualname: str,
        owner: str | None,
        scope: str | None,
    ) -> None:
        function = Function(
            qualname,
            owner,
            scope,
            lower_params(node.args),
            lower_annotation(node.returns),
            lower_all(node.decorator_list),
            at(node)._replace(line=_first_line(node)),
            _first_line(node.body[0]),
        )
        self.functions.append(function)
        if self._is_asked_for(function):
            with suppress(TooDeep, RecursionError):  # said by whoever asks for it
                self.bodies[function.key] = Statements(qualname).block(node.body)
        # A nested function belongs to no class: the `self` that it uses is the method's.
        self.visit(node.body, f"{qualname}.", None, qualname)

    def _is_asked_for(self, function: Function) -> bool:
        place = bisect_left(self._lines, function.at.line)
        return place < len(self._lines) and self._lines[place] <= function.at.end_line

    def _class(self, node: ast.ClassDef, qualname: str, owner: str | None, scope: str | None) -> None:
        inner = Statements(qualname).block(node.body)
        self.classes.append(
            Class(
                qualname,
                owner,
                scope,
                lower_all(node.bases),
                tuple([Keyword(word.arg, lower(word.value)) for word in node.keywords]),
                lower_all(node.decorator_list),
                tuple(_fields(inner)),
                tuple(_members(inner)),
                at(node),
            )
        )
        self.visit(node.body, f"{qualname}.", qualname, scope)

    def _attribute(self, node: ast.Assign | ast.AnnAssign, scope: str) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if isinstance(node, ast.Assign) and isinstance(node.value, (ast.Constant, ast.BinOp, ast.Compare)):
            return  # nothing that could be an object of interest
        for target in targets:
            if isinstance(target, ast.Attribute):
                value = None if node.value is None else lower(node.value)
                annotation = lower_annotation(node.annotation) if isinstance(node, ast.AnnAssign) else None
                self.attributes.append(
                    AttrAssign(target.attr, lower(target.value), value, annotation, scope, at(node))
                )


def _first_line(node: ast.stmt) -> int:
    """The line in which a statement begins, with its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return decorators[0].lineno if decorators else node.lineno


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks inside a compound statement."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if block:
            yield block
    for part in [*getattr(node, "handlers", ()), *getattr(node, "cases", ())]:
        yield part.body


def _stars(nodes: Iterable[ast.stmt]) -> Iterator[Imported]:
    """The modules that a module imports everything from."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            if node.names[0].name == "*":
                yield Imported(node.module or "", None, node.level)
        elif isinstance(node, (ast.If, ast.Try)):
            for block in _blocks(node):
                yield from _stars(block)


def _fields(body: Body) -> Iterator[Field]:
    """What a class body declares or assigns, conditional parts included."""
    for stmt in body:
        if isinstance(stmt, Assign) and not isinstance(stmt.value, (Local, Imported)):
            for target in stmt.targets:
                if isinstance(target, Name):
                    yield Field(target.id, stmt.annotation, stmt.value)
        elif isinstance(stmt, If):
            yield from _fields(stmt.body)
            yield from _fields(stmt.orelse)


def _members(body: Body) -> Iterator[str]:
    """The qualified names of the functions and classes that a class body defines."""
    for stmt in body:
        if isinstance(stmt, Assign) and isinstance(stmt.value, Local):
            yield stmt.value.qualname
        elif isinstance(stmt, If):
            yield from _members(stmt.body)
            yield from _members(stmt.orelse)
