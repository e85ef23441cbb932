"""Which functions set the field on a parameter, and which of them hand the object on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from msgspec.structs import replace

from ipc_lint.contract.conditions import Guarded, Values, guarded, tests
from ipc_lint.contract.nouns import FieldPair, Gate, Stamp
from ipc_lint.facts import (
    OPAQUE,
    Assign,
    Attr,
    Bind,
    Bool,
    Call,
    Choice,
    Comp,
    Const,
    Expr,
    Item,
    Name,
    Seq,
    Stmt,
)
from ipc_lint.facts.walk import last_name, own_expressions, parts, statements
from ipc_lint.index.callers import all_calls
from ipc_lint.index.functions import FunctionInfo

# Calls that look at an object and let it go.
LOOKS = frozenset(
    "isinstance issubclass type len getattr hasattr setattr id repr str print bool format hash "
    "callable vars dir list tuple set iter enumerate reversed sorted zip "
    "debug info warning error exception log".split()
)


def stamps_in(function: FunctionInfo, fields: FieldPair) -> Iterator[Stamp]:
    """The places where a function sets the field on a parameter other than ``self``."""
    params = _parameters(function)
    values = function.bindings
    ways = list(guarded(function.body, values))
    for stmt, gates in ways:
        for target, field, value in assigned_fields(stmt, function, fields):
            output = _rooted(target, params, values)
            if output is None:
                continue
            origin = copied_from(value, fields, params - {output}, values)
            between: tuple[Gate, ...] = ()
            if origin is not None:
                between = _on_the_way(value, ways, partial(_copies, fields, frozenset({origin}), values))
            yield Stamp(output, origin, field, _shown(gates + between, values))


def _copies(fields: FieldPair, origins: frozenset[str], values: Values, value: Expr) -> bool:
    return copied_from(value, fields, origins, values) is not None


def _on_the_way(value: Expr, ways: list[Guarded], copies: Callable[[Expr], bool]) -> tuple[Gate, ...]:
    """The class tests between reading the field and writing it: a choice, or around a local."""
    match value:
        case Choice(test, body, orelse):
            if copies(body) != copies(orelse):
                return tests(test, {}, copies(body))
        case Name(name):
            found = [
                (stmt.value, gates)
                for stmt, gates in ways
                if isinstance(stmt, Assign) and Name(name) in stmt.targets and stmt.value is not None
            ]
            copied = [(given, gates) for given, gates in found if copies(given)]
            if len(copied) == 1:
                given, gates = copied[0]
                return gates + (_on_the_way(given, ways, copies) if given != value else ())
    return ()


def _shown(gates: tuple[Gate, ...], values: Values) -> tuple[Gate, ...]:
    """The gates with local aliases of a parameter taken back to it."""
    shown = []
    for gate in gates:
        named = values.get(gate.subject, ())
        alias = named[0] if len(named) == 1 else None
        shown.append(replace(gate, subject=alias.id) if isinstance(alias, Name) else gate)
    return tuple(shown)


def assigned_fields(
    stmt: Stmt, function: FunctionInfo, fields: FieldPair
) -> Iterator[tuple[Expr, str, Expr]]:
    """The (object, field, value) of every assignment to the field in a statement of a function."""
    if isinstance(stmt, Assign) and stmt.value is not None:
        for target in stmt.targets:
            for part, value in _pairs(target, stmt.value):
                if isinstance(part, Attr) and part.name in fields.names:
                    yield part.value, part.name, value
    for expr in own_expressions(stmt) if function.sets_by_name else ():
        for part in parts(expr):
            match part:
                case Call(Name("setattr") | Attr(_, "__setattr__"), (target, Const(str(name)), value)) if (
                    name in fields.names
                ):
                    yield target, name, value


def read_fields(expr: Expr, fields: FieldPair) -> Iterator[tuple[Expr, str]]:
    """The (object, field) of every reading of the field in an expression, by ``getattr`` too."""
    for part in parts(expr):
        match part:
            case Attr(base, name) | Call(Name("getattr"), (base, Const(str(name)), *_)):
                if name in fields.names:
                    yield base, name


def _pairs(target: Expr, value: Expr) -> Iterator[tuple[Expr, Expr]]:
    """The single targets of an assignment, each with its part of the value."""
    if not isinstance(target, Seq):
        yield target, value
    elif isinstance(value, Seq) and len(value.items) == len(target.items):
        for part, item in zip(target.items, value.items, strict=True):
            yield from _pairs(part, item)
    else:
        for place, part in enumerate(target.items):
            yield from _pairs(part, Item(value, Const(place)))


def _parameters(function: FunctionInfo) -> frozenset[str]:
    return frozenset(p.name for p in function.own_params if p.kind in ("positional", "keyword"))


def _rooted(expr: Expr, params: frozenset[str], values: Values, depth: int = 4) -> str | None:
    """The parameter that an expression is, or is an item of."""
    if depth == 0:
        return None
    match expr:
        case Name(name) if name in params:
            return name
        case Name(name):
            for value in values.get(name, ()):
                found = _rooted(value, params, values, depth - 1)
                if found is not None:
                    return found
        case Item(Item(Call(Name("zip"), args), _), Const(int(place))) if place < len(args):
            return _rooted(args[place], params, values, depth - 1)
        case Item(Item(Call(Name("enumerate"), (value, *_)), _), Const(1)):
            return _rooted(value, params, values, depth - 1)
        case Item(value, key) if key == OPAQUE:
            return _rooted(value, params, values, depth - 1)
        case Call(Name("enumerate" | "list" | "tuple" | "reversed"), (value, *_)):
            return _rooted(value, params, values, depth - 1)
    return None


def copied_from(
    value: Expr, fields: FieldPair, params: frozenset[str], values: Values, depth: int = 4
) -> str | None:
    """The parameter whose field a value is: read directly, by ``getattr``, or through a local."""
    if depth == 0:
        return None
    match value:
        case Attr(Name(name), field) if field in fields.names:
            return _rooted(Name(name), params, values)
        case Call(Name("getattr"), (Name(name), Const(field), *_)) if field in fields.names:
            return _rooted(Name(name), params, values)
        case Name(name):
            options: tuple[Expr, ...] = values.get(name, ())
        case Bool(_, options):
            pass
        case Choice(_, body, orelse):
            options = (body, orelse)
        case Bind(_, inner) | Item(inner, _):
            options = (inner,)
        case Comp(_, (inner, *_), _):
            options = (inner,)
        case _:
            return None
    for option in options:
        origin = copied_from(option, fields, params, values, depth - 1)
        if origin is not None:
            return origin
    return None


def hands_on(function: FunctionInfo, output: str) -> list[Call]:
    """The calls that a function gives a parameter to and that do more than look at it."""
    return [
        call
        for call in all_calls(function)
        if last_name(call.func) not in LOOKS
        and Name(output) in (*call.args, *[word.value for word in call.keywords])
    ]


def has_fallback(function: FunctionInfo, output: str, origin: str, fields: FieldPair) -> bool:
    """Whether a sender has an answer of its own where it is given no origin.

    It has if it finds another origin, sets an address from elsewhere, or sends in more than one way.
    """
    if origin in function.bindings:
        return True
    values = function.bindings
    for stmt in statements(function.body):
        for target, field, value in assigned_fields(stmt, function, fields):
            if target == Name(output) and field == fields.single:
                options = value.values if isinstance(value, Bool) else (value,)
                if isinstance(value, Choice):
                    options = (value.body, value.orelse)
                if any(_is_elsewhere(o, output, origin, fields, values) for o in options):
                    return True
    return len(hands_on(function, output)) > 1


def _is_elsewhere(option: Expr, output: str, origin: str, fields: FieldPair, values: Values) -> bool:
    """Whether an address comes from neither of the two objects."""
    if isinstance(option, Const) and option.value is None:
        return False
    return copied_from(option, fields, frozenset({output, origin}), values) is None


def sets_itself(function: FunctionInfo, fields: FieldPair) -> bool:
    """Whether a method sets the field on its own object."""
    if not function.takes_self:
        return False
    itself = Name(function.facts.params[0].name)
    return any(
        target == itself
        for stmt in statements(function.body)
        for target, _, _ in assigned_fields(stmt, function, fields)
    )
