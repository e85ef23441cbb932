"""What a test says of the field itself: that there is none to lose, or that it is there already."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ipc_lint.contract.conditions import tests
from ipc_lint.facts import Attr, Bind, Bool, Call, Compare, Const, Expr, Name, Not
from ipc_lint.judge.values import State, Status

if TYPE_CHECKING:
    from ipc_lint.judge.flow import Walker

_NONE: frozenset[Expr] = frozenset()


def settle(walker: Walker, test: Expr, holds: bool, state: State) -> None:
    """Take into a state what ``test`` being true (or false) says of the field.

    Where an origin has no address, none can be lost: what was built from it counts as set. Where an
    object was found to have its address, it has it.
    """
    without = bare_origins(walker, test, holds, state)
    for at, status in state.status.items():
        if status == Status.UNSET and walker.flow.origins.get(at, _NONE) & without:
            state.status[at] = Status.SET
    for expr in _present(walker, test, holds):
        for at in walker.evaluator.known(expr, state).made:
            state.status[at] = Status.SET


def bare_origins(walker: Walker, test: Expr, holds: bool, state: State) -> frozenset[Expr]:
    """The objects that have no field to copy (or are None, or of another class) if ``test`` holds."""
    match test:
        case Not(inner):
            return bare_origins(walker, inner, not holds, state)
        case Bind(_, inner):
            return bare_origins(walker, inner, holds, state)
        case Bool(op, parts):
            found = [bare_origins(walker, part, holds, state) for part in parts]
            return _all(found) if (op == "and") is not holds else _any(found)
        case Compare(left, op, Const(None)) if (op in ("Is", "Eq")) is holds:
            return _nothing_in(walker, left, state)
        case Call(Name("hasattr"), (of, Const(name)), ()) if name in walker.contract.fields.names:
            return _NONE if holds else frozenset({of})
        case Call(Name("isinstance" | "issubclass"), _, ()):
            return _of_other_class(walker, test, holds, state)
        case Name() | Attr() | Call() if not holds:
            return _nothing_in(walker, test, state)
    return _NONE


def _any(found: Iterable[frozenset[Expr]]) -> frozenset[Expr]:
    return frozenset().union(*found)


def _all(found: list[frozenset[Expr]]) -> frozenset[Expr]:
    return found[0].intersection(*found[1:]) if found else _NONE


def _nothing_in(walker: Walker, expr: Expr, state: State) -> frozenset[Expr]:
    """The origins without an address if ``expr`` is None or false."""
    names = walker.contract.fields.names
    match expr:
        case Bind(_, inner):
            return _nothing_in(walker, inner, state)
        case Attr(of, name) if name in names:
            return frozenset({of})
        case Call(Name("getattr"), (of, Const(name), *_)) if name in names:
            return frozenset({of})
        case Name():
            read = walker.evaluator.known(expr, state).sources
            return frozenset({expr, *(source.of for source in read if source.name in names)})
        case Attr():
            return frozenset({expr})
    return _NONE


def _of_other_class(walker: Walker, test: Expr, holds: bool, state: State) -> frozenset[Expr]:
    """The subject of a class test, if what it can be then has no field."""
    found: set[Expr] = set()
    for gate in tests(test, walker.function.bindings, holds):
        if not walker.has_field(Name(gate.subject), state):
            found.add(Name(gate.subject))
    return frozenset(found)


def _present(walker: Walker, test: Expr, holds: bool) -> list[Expr]:
    """The objects whose own field is known to be there if ``test`` holds."""
    names = walker.contract.fields.names
    match test:
        case Not(inner):
            return _present(walker, inner, not holds)
        case Bool("and", parts) if holds:
            return [expr for part in parts for expr in _present(walker, part, True)]
        case Compare(Attr(of, name), op, Const(None)) if (
            name in names and (op in ("IsNot", "NotEq")) is holds
        ):
            return [of]
        case Attr(of, name) if name in names and holds:
            return [of]
    return []
