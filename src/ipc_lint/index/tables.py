"""Dispatch tables: pairs of a class and the callable that takes its objects.

A table is a display of pairs or a dict; whatever is made from one is taken for a dispatcher: called
with an object, it gives what the handlers give.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ipc_lint.facts import Call, Expr, Map, Name, Seq
from ipc_lint.facts.walk import last_name
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.scope import Scope
from ipc_lint.index.types import (
    UNKNOWN,
    ClassObject,
    Dispatcher,
    External,
    Instance,
    Method,
    Type,
    one,
    union,
)

if TYPE_CHECKING:
    from ipc_lint.index.infer import Inference


def dispatcher(infer: Inference, call: Call, callee: Type, scope: Scope) -> Type:
    """What a call makes of a dispatch table that it is given, if it is given one."""
    if not any(isinstance(atom, (ClassObject, External)) for atom in callee):
        return UNKNOWN
    for arg in (*call.args, *(word.value for word in call.keywords)):
        found = list(_rows(_display(arg, scope)))
        keys = union(infer.type_of(key, scope) for key, _ in found)
        if found and keys and all(isinstance(atom, (ClassObject, External)) for atom in keys):
            values = union(infer.type_of(value, scope) for _, value in found)
            classes = frozenset(atom.cls for atom in keys if isinstance(atom, ClassObject))
            if classes and any(isinstance(atom, Method) for atom in values):
                return one(Dispatcher(classes, values))
    return UNKNOWN


class Tables:
    """The dispatch tables that functions write down."""

    def __init__(self, infer: Inference) -> None:
        self._infer = infer
        self._written: dict[FunctionInfo, tuple[tuple[Expr, Expr], ...]] = {}

    def handled(self, function: FunctionInfo) -> Iterator[Type]:
        """The objects that a function is given by the tables that it stands in."""
        for user in self._infer.project.handing_on(function.name):
            scope = Scope(user)
            for key, value in self._rows_in(user):
                if last_name(value) == function.name and _is(self._infer.type_of(value, scope), function):
                    classes = self._infer.type_of(key, scope)
                    yield frozenset(Instance(a.cls) for a in classes if isinstance(a, ClassObject))

    def _rows_in(self, user: FunctionInfo) -> tuple[tuple[Expr, Expr], ...]:
        if user not in self._written:
            displays = (part for part in user.everything if isinstance(part, (Seq, Map)))
            self._written[user] = tuple(row for display in displays for row in _rows(display))
        return self._written[user]


def _is(type_: Type, function: FunctionInfo) -> bool:
    return any(isinstance(atom, Method) and atom.function is function for atom in type_)


def _display(arg: Expr, scope: Scope) -> Expr:
    """The display that an argument is, or that its name was given once."""
    values = scope.function.bindings.get(arg.id, ()) if isinstance(arg, Name) else ()
    return values[0] if len(values) == 1 else arg


def _rows(table: Expr) -> Iterator[tuple[Expr, Expr]]:
    """The (class, handler) rows of a display of pairs, or of a dict."""
    match table:
        case Seq(_, items) if items and all(isinstance(i, Seq) and len(i.items) == 2 for i in items):
            for item in items:
                if isinstance(item, Seq):
                    yield item.items[0], item.items[1]
        case Map(keys, values):
            for key, value in zip(keys, values, strict=True):
                if key is not None:
                    yield key, value
