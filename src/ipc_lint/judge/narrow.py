"""What a test tells of the classes of variables on the ways that it splits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ipc_lint.contract.conditions import tests
from ipc_lint.contract.nouns import Gate
from ipc_lint.facts import Expr
from ipc_lint.index.classes import ClassInfo
from ipc_lint.index.scope import Scope
from ipc_lint.index.types import (
    UNKNOWN,
    ExternalInstance,
    Instance,
    Nothing,
    Type,
    classes_in,
)
from ipc_lint.judge.values import State, Value

if TYPE_CHECKING:
    from ipc_lint.judge.flow import Walker


def narrowed(walker: Walker, test: Expr, holds: bool, state: State) -> None:
    """Take what follows from ``test`` being true (or false) into a state."""
    infer = walker.contract.infer
    for gate in tests(test, walker.function.bindings, holds):
        known = state.names.get(gate.subject)
        if known is None:
            continue
        admitted: list[ClassInfo] = []
        for expr in gate.classes:
            classes = classes_in(infer.type_of(expr, Scope(walker.function)))
            if classes is None:
                break  # a class outside: nothing is sure
            admitted += classes
        else:
            _apply(gate, known, admitted, state)


def _apply(gate: Gate, known: Value, admitted: list[ClassInfo], state: State) -> None:
    type_ = _only(known.type, admitted) if gate.positive else _without(known.type, admitted)
    if type_ is not None and (gate.positive or not gate.exact):
        state.names[gate.subject] = Value(type_, known.made, known.sources)


def _only(type_: Type, classes: list[ClassInfo]) -> Type:
    """What remains of a type that is an instance of one of the classes."""
    mine = frozenset(
        atom for atom in type_ if isinstance(atom, Instance) and any(atom.cls.derives(c) for c in classes)
    )
    return mine or frozenset(Instance(cls) for cls in classes)


def _without(type_: Type, classes: list[ClassInfo]) -> Type | None:
    """What remains of a type that is no instance of the classes; None: nothing can be said."""
    if not type_:
        return None
    rest = frozenset(
        atom
        for atom in type_
        if not (isinstance(atom, Instance) and any(atom.cls.derives(c) for c in classes))
    )
    return rest if rest and not all(isinstance(a, (Nothing, ExternalInstance)) for a in rest) else UNKNOWN
