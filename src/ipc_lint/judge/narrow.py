"""What a test tells of the classes of variables on the ways that it splits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ipc_lint.contract.conditions import tests
from ipc_lint.facts import Expr
from ipc_lint.index.scope import Scope
from ipc_lint.index.types import (
    UNKNOWN,
    ClassObject,
    ExternalInstance,
    Instance,
    Nothing,
    Type,
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
        admitted = frozenset(
            atom
            for expr in gate.classes
            for atom in infer.type_of(expr, Scope(walker.function))
            if isinstance(atom, ClassObject)
        )
        if len(admitted) != len(gate.classes):
            continue  # a class outside: nothing is sure
        type_ = _only(known.type, admitted) if gate.positive else _without(known.type, admitted)
        if type_ is not None and not (gate.exact and not gate.positive):
            state.names[gate.subject] = Value(type_, known.made, known.sources)


def _only(type_: Type, classes: frozenset[ClassObject]) -> Type:
    """What remains of a type that is an instance of one of the classes."""
    mine = frozenset(
        atom for atom in type_ if isinstance(atom, Instance) and any(atom.cls.derives(c.cls) for c in classes)
    )
    return mine or frozenset(Instance(c.cls) for c in classes)


def _without(type_: Type, classes: frozenset[ClassObject]) -> Type | None:
    """What remains of a type that is no instance of the classes; None: nothing can be said."""
    if not type_:
        return None
    rest = frozenset(
        atom
        for atom in type_
        if not (isinstance(atom, Instance) and any(atom.cls.derives(c.cls) for c in classes))
    )
    return rest if rest and not all(isinstance(a, (Nothing, ExternalInstance)) for a in rest) else UNKNOWN
