"""What a test says of the field itself: that there is none to lose, or that it is there already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ipc_lint.contract.conditions import tests
from ipc_lint.facts import At, Attr, Bind, Bool, Call, Compare, Const, Expr, Name, Not
from ipc_lint.judge.values import State, Status

if TYPE_CHECKING:
    from ipc_lint.judge.flow import Walker

_NONE: frozenset[Expr] = frozenset()


def settle(walker: Walker, test: Expr, holds: bool, state: State) -> None:
    """Take into a state what ``test`` being true (or false) says of the field.

    Where an origin has no address, none can be lost: what was built from it counts as set. Where an
    object was found to have its address, it has it.
    """
    for at in _settled(walker, test, holds, state):
        state.status[at] = Status.SET
    state.bare |= _all_bare(walker, test, holds, state)


def _all_bare(walker: Walker, test: Expr, holds: bool, state: State) -> frozenset[Expr]:
    """All objects that have no field to copy if ``test`` turns out so."""
    match test:
        case Not(inner):
            return _all_bare(walker, inner, not holds, state)
        case Bool(op, parts):
            found = [_all_bare(walker, part, holds, state) for part in parts]
            if (op == "and") is holds:
                return frozenset().union(*found)
            return found[0].intersection(*found[1:])
        case Call(Name("bool"), (inner,), ()):
            return _all_bare(walker, inner, holds, state)
        case Name(name):
            # `known = x.field is not None`, then `if known`: the test by its name.
            values = walker.function.bindings.get(name, ())
            if len(values) == 1 and isinstance(values[0], (Compare, Not, Bool)):
                return _all_bare(walker, values[0], holds, state)
    return _bare(walker, test, holds, state)


def _settled(walker: Walker, test: Expr, holds: bool, state: State) -> frozenset[At]:
    """The objects that have their field, or have none to have, if ``test`` turns out so."""
    match test:
        case Not(inner):
            return _settled(walker, inner, not holds, state)
        case Bind(_, inner) if not isinstance(inner, (Name, Attr, Call)):
            return _settled(walker, inner, holds, state)
        case Bool(op, parts):
            found = [_settled(walker, part, holds, state) for part in parts]
            together = (op == "and") is holds
            return frozenset().union(*found) if together else found[0].intersection(*found[1:])
    bare = _bare(walker, test, holds, state)
    found_on = _present(test, holds, walker.contract.fields.names)
    made = frozenset() if found_on is None else walker.evaluator.known(found_on, state).made
    if not bare:  # most tests say nothing
        return made & state.status.keys()
    return frozenset(at for at in state.status if at in made or bare & walker.flow.origins.get(at, _NONE))


def _bare(walker: Walker, test: Expr, holds: bool, state: State) -> frozenset[Expr]:
    """The objects that have no field to copy (or are None, or of another class) if ``test`` holds."""
    match test:
        case Compare(left, op, Const(None | "")) if (op in ("Is", "Eq")) is holds:
            return _nothing_in(walker, left, state)
        case Call(Name("hasattr"), (of, Const(name)), ()) if name in walker.contract.fields.names:
            return _NONE if holds else frozenset({of})
        case Call(Name("isinstance" | "issubclass"), _, ()):
            return _of_other_class(walker, test, holds, state)
        case Name() | Attr() | Call() | Bind() if not holds:
            return _nothing_in(walker, test, state)
    return _NONE


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
        excluded = not gate.positive and not walker.type_of(Name(gate.subject), state)
        if excluded or not walker.has_field(Name(gate.subject), state):
            found.add(Name(gate.subject))
    return frozenset(found)


def _present(test: Expr, holds: bool, names: tuple[str, str]) -> Expr | None:
    """The object whose own field is known to be there if ``test`` holds."""
    match test:
        case Compare(Attr(of, name), "IsNot" | "NotEq", Const(None)) if name in names and holds:
            return of
        case Compare(Attr(of, name), "Is" | "Eq", Const(None)) if name in names and not holds:
            return of
        case Attr(of, name) if name in names and holds:
            return of
    return None
