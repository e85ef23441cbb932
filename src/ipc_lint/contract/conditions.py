"""The conditions under which a statement runs, as tests of a parameter's class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from msgspec.structs import replace

from ipc_lint.contract.nouns import Gate
from ipc_lint.facts import (
    At,
    Attr,
    Bind,
    Body,
    Bool,
    Call,
    Compare,
    Expr,
    For,
    If,
    Jump,
    Match,
    Name,
    Not,
    Other,
    Raise,
    Return,
    Seq,
    Stmt,
    Try,
    While,
    With,
)

_SAME = ("Is", "Eq", "In")
_DIFFERENT = ("IsNot", "NotEq", "NotIn")

Values: TypeAlias = Mapping[str, tuple[Expr, ...]]
Guarded: TypeAlias = tuple[Stmt, tuple[Gate, ...]]


def guarded(body: Body, values: Values, held: tuple[Gate, ...] = ()) -> Iterator[Guarded]:
    """Every statement with the class tests that hold where it stands.

    An early return before it counts as its negated test. ``values`` are the function's bindings,
    for tests that were given a name first.
    """
    for stmt in body:
        yield stmt, held
        match stmt:
            case If(test, then, orelse):
                yes, no = tests(test, values, True), tests(test, values, False)
                yield from guarded(then, values, held + yes)
                yield from guarded(orelse, values, held + no)
                if _leaves(then):
                    held += no
                if orelse and _leaves(orelse):
                    held += yes
            case For(_, _, inner, orelse) | While(_, inner, orelse):
                yield from guarded(inner, values, held)
                yield from guarded(orelse, values, held)
            case With(_, inner):
                yield from guarded(inner, values, held)
            case Try(inner, handlers, orelse, final):
                yield from guarded(inner, values, held)
                for handler in handlers:
                    yield from guarded(handler.body, values, held)
                yield from guarded(orelse, values, held)
                yield from guarded(final, values, held)
            case Match(subject, cases):
                yield from _cases(subject, stmt, values, held)
                held += tuple(
                    replace(gate, positive=False)
                    for case in cases
                    if case.guard is None and case.pure and _leaves(case.body)
                    for gate in _pattern(subject, case.classes, case.at)
                )


def _cases(subject: Expr, match: Match, values: Values, held: tuple[Gate, ...]) -> Iterator[Guarded]:
    before: tuple[Gate, ...] = ()
    for case in match.cases:
        gates = _pattern(subject, case.classes, case.at)
        yield from guarded(case.body, values, held + before + gates)
        if case.guard is None and case.pure:
            before += tuple(replace(gate, positive=False) for gate in gates)


def _pattern(subject: Expr, classes: tuple[Expr, ...] | None, at: At) -> tuple[Gate, ...]:
    if not isinstance(subject, Name) or not classes:
        return ()
    return (Gate(subject.id, classes, True, False, at),)


def tests(test: Expr, values: Values, holds: bool) -> tuple[Gate, ...]:
    """The class tests that follow from ``test`` being true (or false)."""
    match test:
        case Not(inner):
            return tests(inner, values, not holds)
        case Bind(_, inner):
            return tests(inner, values, holds)
        case Bool(op, parts):
            if (op == "and") is holds:
                return tuple(gate for part in parts for gate in tests(part, values, holds))
            return _either([tests(part, values, holds) for part in parts])
        case Name(name):
            # `ok = isinstance(...)`, then `if ok`: the test by its name.
            named = values.get(name, ())
            if len(named) == 1 and not isinstance(named[0], Name):
                return tests(named[0], {}, holds)
        case Call() | Compare():
            gate = class_test(test)
            if gate is not None:
                return (gate if holds else replace(gate, positive=not gate.positive),)
    return ()


def _either(options: list[tuple[Gate, ...]]) -> tuple[Gate, ...]:
    """One gate for "any of these", where all test the same thing in the same way."""
    first = options[0]
    if any(len(option) != 1 for option in options):
        return ()
    gate = first[0]
    for option in options[1:]:
        other = option[0]
        if (other.subject, other.positive, other.exact) != (gate.subject, gate.positive, gate.exact):
            return ()
        # "Not A or not B" shuts out only what is both: no single class is shut out for sure.
        if not gate.positive:
            return ()
        gate = replace(gate, classes=gate.classes + other.classes)
    return (gate,)


def class_test(test: Expr) -> Gate | None:
    """``isinstance(x, T)``, ``issubclass(type(x), T)``, ``type(x) is T`` and the like, as a gate."""
    match test:
        case Call(Name("isinstance"), (Name(subject), classes), (), at):
            return Gate(subject, alternatives(classes), True, False, at)
        case Call(Name("issubclass"), (inner, classes), (), at):
            subject_of = _type_of(inner)
            if subject_of is not None:
                return Gate(subject_of, alternatives(classes), True, False, at)
        case Compare(left, op, right, at) if op in _SAME or op in _DIFFERENT:
            subject_of = _type_of(left)
            if subject_of is not None:
                return Gate(subject_of, alternatives(right), op in _SAME, True, at)
    return None


def _type_of(expr: Expr) -> str | None:
    """``x`` of ``type(x)`` or ``x.__class__``."""
    match expr:
        case Call(Name("type"), (Name(subject),), ()):
            return subject
        case Attr(Name(subject), "__class__"):
            return subject
    return None


def alternatives(classes: Expr) -> tuple[Expr, ...]:
    """The classes of a tuple, of ``A | B``, or the one class."""
    match classes:
        case Seq(_, items):
            return tuple(cls for item in items for cls in alternatives(item))
        case Other(parts):
            return tuple(cls for part in parts for cls in alternatives(part))
    return (classes,)


def _leaves(body: Body) -> bool:
    """Whether what follows a block is not reached through it."""
    if not body:
        return False
    match body[-1]:
        case Return() | Raise() | Jump():
            return True
        case If(_, then, orelse):
            return _leaves(then) and _leaves(orelse)
        case With(_, inner):
            return _leaves(inner)
        case Try(inner, handlers, orelse, final):
            ends = _leaves(orelse) if orelse else _leaves(inner)
            return _leaves(final) or (ends and all(_leaves(handler.body) for handler in handlers))
        case Match(_, cases):
            return any(case.catches_all for case in cases) and all(_leaves(case.body) for case in cases)
    return False
