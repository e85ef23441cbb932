"""Objects that are built again from one of their own kind: ``__getitem__``, a copy, ``from_other``."""

from __future__ import annotations

from collections.abc import Iterator

from ipc_lint.contract.infer import Contract
from ipc_lint.facts import Attr, Call, Expr, Item
from ipc_lint.facts.walk import dotted
from ipc_lint.index.classes import ClassInfo
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.scope import Scope
from ipc_lint.index.types import Type, instances
from ipc_lint.judge.events import CallEvent
from ipc_lint.judge.makings import Making
from ipc_lint.judge.origins import Origin

# The identity and one more attribute: less is an answer to the object, not a copy of it.
_COPY = 2


def own_copy(
    contract: Contract, making: Making, event: CallEvent, function: FunctionInfo, field: str
) -> Origin | None:
    """The object that a method of a carrier builds another one of its own kind from.

    Attributes count that are passed on under their own names, whole or item by item; the identity
    has to be among them.
    """
    owner = function.owner_around
    if owner is None or owner not in contract.carriers or not owner.is_akin(making.carrier.cls):
        return None
    copied: dict[Expr, set[str]] = {}
    routed: set[Expr] = set()  # whose address goes along under another name
    parts: set[Expr] = set()
    for name, given in making.given.items():
        for source in event.value(given).sources:
            if source.name in contract.fields.names and name not in contract.fields.names:
                routed.add(source.of)
            if source.name == name and _holds(source.type, making.carrier.cls):
                copied.setdefault(source.of, set()).add(name)
                if source.part and name in contract.identities:
                    parts.add(source.of)
    for expr, names in sorted(copied.items(), key=lambda item: (-len(item[1]), dotted(item[0]) or "~")):
        if len(names) >= _COPY and names & contract.identities and expr not in routed:
            part = expr in parts and field == contract.fields.batch
            return Origin(expr, dotted(expr), making.carrier, True, certain=True, part=part, own=True)
    return None


def _holds(type_: Type, cls: ClassInfo) -> bool:
    return any(found.is_akin(cls) for found in instances(type_))


def is_set_where_taken(contract: Contract, function: FunctionInfo) -> bool:
    """Whether somebody sets the field on what ``obj[i]`` or a loop over ``obj`` gives."""
    owner = function.owner
    if owner is None or function.name not in ("__getitem__", "__iter__"):
        return False
    return any(
        _is_taken(target, user, owner, contract)
        for user, target in contract.set_objects
        if user is not function
    )


def is_set_where_kept(contract: Contract, function: FunctionInfo, call: Call) -> bool:
    """Whether somebody sets the field on what an attribute holds that a call's result goes to."""
    kept = {place.name for place in stored_in(call, function) if isinstance(place, Attr)}
    return bool(kept) and any(
        isinstance(target, Attr) and target.name in kept for _, target in contract.set_objects
    )


def stored_in(call: Call, function: FunctionInfo) -> Iterator[Expr]:
    """What the object that a call makes is put into."""
    for value in (id(call), *function.named.get(id(call), ())):
        yield from function.stored.get(value, ())


def _is_taken(target: Expr, user: FunctionInfo, owner: ClassInfo, contract: Contract) -> bool:
    """Whether an object is an item of an object of a class."""
    return any(
        isinstance(value, Item) and _holds(contract.infer.type_of(value.value, Scope(user)), owner)
        for value in user.values_of(target)
    )
