"""What the built-in functions and the containers' methods give."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ipc_lint.facts import Attr, Call, Const, Expr, Name
from ipc_lint.index.scope import Scope
from ipc_lint.index.types import (
    UNKNOWN,
    ClassObject,
    Collection,
    External,
    ExternalInstance,
    Fixed,
    Instance,
    Partial,
    Table,
    Type,
    items,
    one,
    union,
)

if TYPE_CHECKING:
    from ipc_lint.index.infer import Inference

_SAME = frozenset("list set tuple frozenset sorted reversed deque iter chain copy deepcopy replace".split())
_TAKES_ONE = frozenset("next min max".split())
_ITEM_METHODS = frozenset("pop popleft get get_nowait".split())


def result(infer: Inference, call: Call, scope: Scope) -> Type | None:
    """The result of a call of something built in, or None if the callee is nothing special."""
    match call.func:
        case Name(name) if name not in scope.known:
            return _function(infer, name, call, scope)
        case Attr(value, name) if name in _METHODS:
            return _method(infer, value, name, call, scope)
        case Attr(_, name) if name in ("copy", "deepcopy", "replace", "cast", "partial", "deque", "chain"):
            if any(isinstance(a, External) for a in infer.type_of(call.func, scope)):
                return _function(infer, name, call, scope)
    return None


def _function(infer: Inference, name: str, call: Call, scope: Scope) -> Type | None:
    if name == "super" and not call.args:
        owner = scope.function.owner_around
        return UNKNOWN if owner is None else frozenset(Instance(base) for base in owner.bases)
    if name not in _KNOWN or not call.args:
        return None
    if not any(isinstance(a, External) for a in infer.type_of(call.func, scope)):
        return None
    first = call.args[0]
    if name == "getattr":
        if len(call.args) > 1 and isinstance(call.args[1], Const) and isinstance(call.args[1].value, str):
            return infer.attribute(infer.type_of(first, scope), call.args[1].value, scope)
        return UNKNOWN
    if name == "cast":
        return infer.said(first, scope)
    if name == "partial":
        target = infer.type_of(first, scope)
        return one(Partial(target, call.args[1:], call.keywords, scope)) if target else UNKNOWN
    if name == "type" and len(call.args) == 1:
        return frozenset(ClassObject(a.cls) for a in infer.type_of(first, scope) if isinstance(a, Instance))
    if name in ("copy", "deepcopy", "replace"):
        return infer.type_of(first, scope)
    if name == "enumerate":
        index = one(ExternalInstance("builtins.int"))
        return one(Collection(one(Fixed((index, items(infer.type_of(first, scope)))))))
    if name == "zip":
        return one(Collection(one(Fixed(tuple(items(infer.type_of(arg, scope)) for arg in call.args)))))
    if name in _TAKES_ONE:
        inner = items(infer.type_of(first, scope))
        return inner if len(call.args) == 1 or name == "next" else _arguments(infer, call, scope)
    return one(Collection(items(infer.type_of(first, scope))))


def _arguments(infer: Inference, call: Call, scope: Scope) -> Type:
    return union(infer.type_of(arg, scope) for arg in call.args)


# The standard library knows nothing of any message: what comes from it is no origin.
STANDARD = sys.stdlib_module_names - {"builtins"}
_KNOWN = _SAME | _TAKES_ONE | {"getattr", "cast", "partial", "type", "enumerate", "zip"}
_METHODS = _ITEM_METHODS | {"items", "values", "keys", "setdefault"}


def _method(infer: Inference, value: Expr, name: str, call: Call, scope: Scope) -> Type | None:
    base = infer.type_of(value, scope)
    found: list[Type] = []
    for atom in base:
        match atom:
            case Table(key, held):
                if name == "items":
                    found.append(one(Collection(one(Fixed((key, held))))))
                elif name in ("values", "keys"):
                    found.append(one(Collection(held if name == "values" else key)))
                else:
                    found.append(held)
            case Collection() | Fixed() if name in _ITEM_METHODS:
                found.append(items(one(atom)))
    return union(found) if found else None


def external_result(name: str) -> Type:
    """What calling something outside gives: an object of it, if it is named like a class."""
    last = name.rpartition(".")[2]
    if last in ("list", "set", "deque"):
        return one(Collection(UNKNOWN))
    if last in ("dict", "defaultdict", "OrderedDict"):
        return one(Table(UNKNOWN, UNKNOWN))
    if last[:1].isupper() or name.partition(".")[0] in STANDARD:
        return one(ExternalInstance(name))
    return UNKNOWN
