"""Statements to facts, blocks and all: what runs when a body runs.

A body is lowered when somebody asks for it (few do), from the lines of its function alone.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ipc_lint.facts import (
    OPAQUE,
    Assign,
    At,
    Body,
    Case,
    Const,
    Default,
    Do,
    Expr,
    For,
    Handler,
    If,
    Imported,
    Jump,
    Local,
    Match,
    Name,
    Raise,
    Return,
    Stmt,
    Try,
    While,
    With,
)
from ipc_lint.facts.lower import (
    at,
    below,
    defaulted,
    fold,
    is_pure,
    lower,
    lower_all,
    lower_annotation,
    pattern_classes,
    pattern_names,
)
from ipc_lint.facts.words import utf8

# The line of a function's name, and the form feeds that it begins with.
_HEAD = re.compile(r"(?:\A|(?<=[\r\n]))(?P<feed>(?:[ \t]*\f)*)[ \t]*(?:async(?:\s|\\)+)?def\b")


def lower_body(text: str, place: At, qualname: str) -> Body:
    """The statements of a function, from its lines alone and the place that they have in the file.

    They are parsed alone; indented ones go under an ``if`` of their own, so that strings over several
    lines keep their text.
    """
    head = _HEAD.search(text)
    if head is None:
        raise AssertionError(f"no function at line {place.line}")
    # Its decorators are no part of it, and the first may begin in a line above the text.
    above = len(utf8(text[: head.start()]).splitlines())
    # A form feed starts the indentation anew: without it the line means the same.
    text = text[head.end("feed") :]
    indented = text[:1] in (" ", "\t")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outer = ast.parse(f"if 1:\n{text}" if indented else text).body[0]
    function = outer.body[0] if isinstance(outer, ast.If) and indented else outer
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        raise AssertionError(f"no function at line {place.line}")
    with below(place.line + above - (2 if indented else 1)):
        return Statements(qualname).block(function.body)


class TooDeep(Exception):
    """Statements are nested deeper than can be followed."""


# Python stops at 100 levels of indentation; a chain of `elif` nests without any.
_DEEPEST = 400


class Statements:
    """Lowers statements; ``prefix`` is the qualified name of what they stand in."""

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self._depth = 0

    def block(self, nodes: Iterable[ast.stmt]) -> Body:
        """The facts of a run of statements; TooDeep if they are nested too deeply."""
        if self._depth >= _DEEPEST:
            raise TooDeep
        self._depth += 1
        found: list[Stmt] = []
        for node in nodes:
            handler = _STATEMENTS.get(type(node))
            if handler is not None:
                found.extend(handler(self, node))
            else:
                value = fold(ast.iter_child_nodes(node))
                if value != OPAQUE:
                    found.append(Do(value))
        self._depth -= 1
        return tuple(found)

    def qualname(self, name: str) -> str:
        """The qualified name of something defined in these statements."""
        return f"{self._prefix}.{name}" if self._prefix else name


def _define(reader: Statements, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Sequence[Stmt]:
    name = reader.qualname(node.name)
    defaults = [(arg.arg, lower(value)) for arg, value in defaulted(node.args)]
    return [
        *_run(node.decorator_list),
        *(Default(name, arg, value) for arg, value in defaults if not isinstance(value, Const)),
        _bound(node, node.name, Local(name)),
    ]


def _define_class(reader: Statements, node: ast.ClassDef) -> Sequence[Stmt]:
    words = [word.value for word in node.keywords]
    return [
        *_run([*node.decorator_list, *node.bases, *words]),
        _bound(node, node.name, Local(reader.qualname(node.name))),
    ]


def _run(nodes: Iterable[ast.expr]) -> Sequence[Stmt]:
    """What a definition evaluates before it binds its name: it belongs to what is around it."""
    value = fold(nodes)
    return [Do(value)] if value != OPAQUE else []


def _assign(reader: Statements, node: ast.Assign) -> Sequence[Stmt]:
    return [Assign(lower_all(node.targets), lower(node.value), None, at(node))]


def _ann_assign(reader: Statements, node: ast.AnnAssign) -> Sequence[Stmt]:
    value = None if node.value is None else lower(node.value)
    return [Assign((lower(node.target),), value, lower_annotation(node.annotation), at(node))]


def _aug_assign(reader: Statements, node: ast.AugAssign) -> Sequence[Stmt]:
    # `xs += [x]` hands x on, as `xs.extend([x])` does; it binds nothing new.
    return [Do(fold([node.target, node.value]), lower(node.target), at(node))]


def _expr(reader: Statements, node: ast.Expr) -> Sequence[Stmt]:
    value = lower(node.value)
    return [] if isinstance(value, Const) or value == OPAQUE else [Do(value)]


def _return(reader: Statements, node: ast.Return) -> Sequence[Stmt]:
    return [Return(None if node.value is None else lower(node.value))]


def _raise(reader: Statements, node: ast.Raise) -> Sequence[Stmt]:
    return [Raise(fold(ast.iter_child_nodes(node)))]


def _if(reader: Statements, node: ast.If) -> Sequence[Stmt]:
    return [If(lower(node.test), reader.block(node.body), reader.block(node.orelse))]


def _for(reader: Statements, node: ast.For | ast.AsyncFor) -> Sequence[Stmt]:
    body, orelse = reader.block(node.body), reader.block(node.orelse)
    return [For(lower(node.target), lower(node.iter), body, orelse)]


def _while(reader: Statements, node: ast.While) -> Sequence[Stmt]:
    return [While(lower(node.test), reader.block(node.body), reader.block(node.orelse))]


def _with(reader: Statements, node: ast.With | ast.AsyncWith) -> Sequence[Stmt]:
    items = tuple(
        (lower(item.context_expr), None if item.optional_vars is None else lower(item.optional_vars))
        for item in node.items
    )
    return [With(items, reader.block(node.body))]


def _try(reader: Statements, node: ast.Try) -> Sequence[Stmt]:
    handlers = tuple(
        Handler(None if h.type is None else lower(h.type), h.name, reader.block(h.body))
        for h in node.handlers
    )
    return [Try(reader.block(node.body), handlers, reader.block(node.orelse), reader.block(node.finalbody))]


def _match(reader: Statements, node: ast.Match) -> Sequence[Stmt]:
    return [Match(lower(node.subject), tuple(_case(reader, case) for case in node.cases))]


def _case(reader: Statements, case: ast.match_case) -> Case:
    classes = pattern_classes(case.pattern)
    return Case(
        None if classes is None else lower_all(classes),
        is_pure(case.pattern),
        pattern_names(case.pattern),
        None if case.guard is None else lower(case.guard),
        reader.block(case.body),
        at(case.pattern),
        isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None,
    )


def _import(reader: Statements, node: ast.Import) -> Sequence[Stmt]:
    return [
        _bound(node, alias.asname, Imported(alias.name, None, 0))
        if alias.asname
        else _bound(node, alias.name.partition(".")[0], Imported(alias.name.partition(".")[0], None, 0))
        for alias in node.names
    ]


def _import_from(reader: Statements, node: ast.ImportFrom) -> Sequence[Stmt]:
    return [
        _bound(node, alias.asname or alias.name, Imported(node.module or "", alias.name, node.level))
        for alias in node.names
        if alias.name != "*"
    ]


def _bound(node: ast.stmt, name: str, value: Expr) -> Stmt:
    return Assign((Name(name),), value, None, at(node))


def _assert(reader: Statements, node: ast.Assert) -> Sequence[Stmt]:
    return [If(lower(node.test), (), (Raise(OPAQUE if node.msg is None else lower(node.msg)),))]


def _nothing(reader: Statements, node: ast.stmt) -> Sequence[Stmt]:
    return []


_STATEMENTS: dict[type[ast.stmt], Callable[[Statements, Any], Sequence[Stmt]]] = {
    ast.FunctionDef: _define,
    ast.AsyncFunctionDef: _define,
    ast.ClassDef: _define_class,
    ast.Assign: _assign,
    ast.AnnAssign: _ann_assign,
    ast.AugAssign: _aug_assign,
    ast.Expr: _expr,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.Match: _match,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Break: lambda reader, node: [Jump("break")],
    ast.Continue: lambda reader, node: [Jump("continue")],
    ast.Pass: _nothing,
    ast.Global: _nothing,
    ast.Nonlocal: _nothing,
}
if hasattr(ast, "TryStar"):  # Python 3.11 and newer
    _STATEMENTS[ast.TryStar] = _try
