"""Ways through a tree of facts: what a body binds, and the calls that it makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ipc_lint.facts import (
    OPAQUE,
    Assign,
    Attr,
    Bind,
    Body,
    Bool,
    Call,
    Choice,
    Comp,
    Compare,
    Const,
    Default,
    Do,
    Expr,
    For,
    If,
    Item,
    Lambda,
    Map,
    Match,
    Name,
    Not,
    Other,
    Raise,
    Return,
    Seq,
    Star,
    Stmt,
    Try,
    While,
    With,
    Yield,
)


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct parts of an expression, in order of evaluation (of a lambda, its default values)."""
    inner = _PARTS.get(type(expr))
    return () if inner is None else inner(expr)


def _parts_of_comprehension(comp: Comp) -> tuple[Expr, ...]:
    inner = [part for loop in comp.loops for part in (loop.iter, loop.target, *loop.tests)]
    return (*inner, *comp.items)


def _value(expr: Any) -> tuple[Expr, ...]:
    return (expr.value,)


# A table and no `match`: every pass over the facts comes through here for every node. What is not in
# it has no parts: a name, a constant, what an import or a definition binds.
_PARTS: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    Attr: _value,
    Not: _value,
    Star: _value,
    Yield: _value,
    Bind: _value,
    Call: lambda call: (call.func, *call.args, *[word.value for word in call.keywords]),
    Lambda: lambda expr: tuple([param.default for param in expr.params if param.default is not None]),
    Item: lambda item: (item.value, item.key),
    Seq: lambda seq: seq.items,
    Bool: lambda expr: expr.values,
    Map: lambda table: (*[key for key in table.keys if key is not None], *table.values),
    Choice: lambda choice: (choice.test, choice.body, choice.orelse),
    Compare: lambda compare: (compare.left, compare.right),
    Comp: _parts_of_comprehension,
    Other: lambda other: other.parts,
}
# The same with what a lambda does when it is called.
_ALL_PARTS = _PARTS | {Lambda: lambda expr: (*children(expr), expr.body)}


def expressions(body: Body) -> Iterator[Expr]:
    """The outermost expressions of all statements, nested blocks included, in order."""
    for stmt in statements(body):
        yield from own_expressions(stmt)


def own_expressions(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions of a statement itself, not of the blocks in it."""
    own = _OWN.get(type(stmt))
    return () if own is None else own(stmt)


def _test(stmt: Any) -> tuple[Expr, ...]:
    return (stmt.test,)


# A table, like the one for expressions.
_OWN: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    Assign: lambda stmt: stmt.targets if stmt.value is None else (stmt.value, *stmt.targets),
    Do: _value,
    Raise: _value,
    Default: _value,
    Return: lambda stmt: () if stmt.value is None else (stmt.value,),
    If: _test,
    While: _test,
    For: lambda stmt: (stmt.iter, stmt.target),
    With: lambda stmt: tuple([part for item in stmt.items for part in item if part is not None]),
    Match: lambda stmt: (stmt.subject, *[case.guard for case in stmt.cases if case.guard is not None]),
}


def read_expressions(body: Body) -> Iterator[Expr]:
    """The expressions of all statements but for what is assigned to."""
    for stmt in statements(body):
        if isinstance(stmt, Assign):
            if stmt.value is not None:
                yield stmt.value
            # Under which key something is put is read, too.
            yield from (
                part.key for target in stmt.targets for part in parts(target) if isinstance(part, Item)
            )
        else:
            yield from own_expressions(stmt)


def _two_ways(stmt: Any) -> tuple[Body, ...]:
    return (stmt.body, stmt.orelse)


# The blocks inside a statement, in order.
_BLOCKS: dict[type, Callable[[Any], tuple[Body, ...]]] = {
    If: _two_ways,
    While: _two_ways,
    For: _two_ways,
    With: lambda stmt: (stmt.body,),
    Try: lambda stmt: (stmt.body, *[handler.body for handler in stmt.handlers], stmt.orelse, stmt.final),
    Match: lambda stmt: tuple([case.body for case in stmt.cases]),
}


def parts(expr: Expr) -> Iterator[Expr]:
    """An expression and everything in it, outermost first, lambdas included."""
    stack = [expr]
    while stack:
        here = stack.pop()
        yield here
        inner = _ALL_PARTS.get(type(here))
        if inner is not None:
            stack.extend(inner(here)[::-1])


def everything(body: Body) -> list[Expr]:
    """Every expression of a body and every part of one: nested blocks, comprehensions, lambdas included."""
    found = []
    for stmt in statements(body):
        stack = list(own_expressions(stmt)[::-1])
        while stack:
            here = stack.pop()
            found.append(here)
            inner = _ALL_PARTS.get(type(here))
            if inner is not None:
                stack.extend(inner(here)[::-1])
    return found


def variables(expr: Expr) -> set[str]:
    """The names in an expression."""
    return {part.id for part in parts(expr) if isinstance(part, Name)}


def statements(body: Body) -> Iterator[Stmt]:
    """Every statement, nested blocks included, in order."""
    stack = list(body[::-1])
    while stack:
        stmt = stack.pop()
        yield stmt
        inner = _BLOCKS.get(type(stmt))
        if inner is not None:
            for block in inner(stmt)[::-1]:
                stack.extend(block[::-1])


def bindings(body: Body, *, walrus: bool = True) -> dict[str, tuple[Expr, ...]]:
    """Every value that a body binds to a name, whatever the order.

    A loop variable is an item of what is looped over, an unpacked name an item at its place, a
    ``with`` target what the context manager is. ``walrus`` is whether the source has a ``:=`` at all:
    to look for one takes longest.
    """
    found: dict[str, list[Expr]] = {}
    for stmt in statements(body):
        if isinstance(stmt, Assign):
            if stmt.value is not None:
                for target in stmt.targets:
                    _bind(target, stmt.value, found)
        elif isinstance(stmt, For):
            _bind(stmt.target, Item(stmt.iter, OPAQUE), found)
        elif isinstance(stmt, With):
            for manager, entered in stmt.items:
                if entered is not None:
                    _bind(entered, manager, found)
        elif isinstance(stmt, Match):
            for case in stmt.cases:
                for name, attribute in case.binds:
                    whole = stmt.subject if case.classes else OPAQUE
                    value = whole if attribute is None else Attr(stmt.subject, attribute)
                    found.setdefault(name, []).append(value)
        for expr in own_expressions(stmt) if walrus else ():
            for part in parts(expr):
                if isinstance(part, Bind):
                    found.setdefault(part.name, []).append(part.value)
    return {name: tuple(values) for name, values in found.items()}


def _bind(target: Expr, value: Expr, found: dict[str, list[Expr]]) -> None:
    if isinstance(target, Name):
        found.setdefault(target.id, []).append(value)
    else:
        for name, part in unpacked(target, value):
            found.setdefault(name, []).append(part)


def unpacked(target: Expr, value: Expr) -> Iterator[tuple[str, Expr]]:
    """The names that ``target = value`` binds, each with its part of the value."""
    match target:
        case Name(name):
            yield name, value
        case Seq(_, items):
            exact = isinstance(value, Seq) and len(value.items) == len(items)
            for place, item in enumerate(items):
                if isinstance(item, Star):
                    yield from unpacked(item.value, value)
                elif exact:
                    yield from unpacked(item, value.items[place])  # type: ignore[union-attr]
                else:
                    yield from unpacked(item, Item(value, Const(place)))
        case Star(inner):
            yield from unpacked(inner, value)


def dotted(expr: Expr) -> str | None:
    """The source text of a name or a dotted name, None for anything else."""
    match expr:
        case Name(name):
            return name
        case Attr(value, name):
            base = dotted(value)
            return None if base is None else f"{base}.{name}"
    return None


def last_name(expr: Expr) -> str | None:
    """The last part of a dotted name."""
    match expr:
        case Name(name) | Attr(_, name):
            return name
    return None
