"""Which functions make copies of an object and keep them: a cache of items, filled by ``obj[i]``.

Such copies have the address that the object had when they were made; a stamp that comes later does
not reach them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ipc_lint.contract.infer import Contract
from ipc_lint.contract.stampers import assigned_fields
from ipc_lint.facts import Attr, Call, Comp, Const, Expr, For, Item, Name, Param
from ipc_lint.facts.walk import parts, statements
from ipc_lint.index.arguments import matched
from ipc_lint.index.callers import all_calls
from ipc_lint.index.classes import ClassInfo
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.scope import Scope
from ipc_lint.index.types import Instance, Method, Type, in_order, instances
from ipc_lint.judge.makings import Makings
from ipc_lint.judge.rebuilds import stored_in
from ipc_lint.judge.values import Kept, Value

if TYPE_CHECKING:
    from ipc_lint.judge.events import CallEvent

_REMEMBERS = frozenset(["cached_property", "cache", "lru_cache"])
_HOPS = 6


class Keeping:
    """Answers for one contract; nothing is looked at where no class keeps copies."""

    def __init__(self, contract: Contract, makings: Makings) -> None:
        self._contract = contract
        self._makings = makings
        self._copied: dict[FunctionInfo, dict[str, Kept]] = {}
        self._sets: dict[FunctionInfo, bool] = {}

    @cached_property
    def keepers(self) -> dict[FunctionInfo, Kept]:
        """The methods of carriers that copy their object, address included, and keep the copy."""
        found: dict[FunctionInfo, Kept] = {}
        for cls in self._contract.carriers:
            for function in cls.module.functions.values():
                if function.facts.owner == cls.facts.qualname and function.takes_self:
                    kept = self._kept(function, cls)
                    if kept is not None:
                        found[function] = kept
        return found

    def sets(self, function: FunctionInfo) -> bool:
        """Whether a function sets the field, itself or through a stamper, on what keeps copies of itself."""
        if function not in self._sets:
            targets = self._contract.set_in.get(function, ()) if self.keepers else ()
            found = any(self._keeps(target, Scope(function)) for target in targets)
            self._sets[function] = found and not self.names_store(function)
        return self._sets[function]

    def _keeps(self, expr: Expr, scope: Scope) -> bool:
        """Whether an expression may be an object that keeps copies of itself."""
        found = instances(self._contract.infer.type_of(expr, scope))
        return any(keeper.owner in cls.mro for keeper in self.keepers for cls in found)

    def _kept(self, function: FunctionInfo, cls: ClassInfo) -> Kept | None:
        itself = function.facts.params[0].name
        # The address is written here, or under a ``**`` whose keys are written elsewhere.
        if not any(word in function.text for word in (*self._contract.fields.names, "**")):
            return None
        for call in sorted(all_calls(function), key=lambda call: call.at):
            if self._copies(call, function, cls, itself) and (
                function.decorators & _REMEMBERS or _is_stored(call, function, itself)
            ):
                return Kept(function, call)
        return None

    def _copies(self, call: Call, function: FunctionInfo, cls: ClassInfo, itself: str) -> bool:
        """Whether a call makes an object of the class's kind with the address of ``self``."""
        for making in self._makings.of(call, self._contract.infer.callee(call, Scope(function))):
            field = self._contract.field_of(making.carrier)
            given = making.given.get(field)
            copies = given is not None and Attr(Name(itself), field) in list(parts(given))
            if copies and making.carrier.cls.is_akin(cls):
                return True
        return False

    # ----------------------------------------------------------------- callers

    def _of(self, function: FunctionInfo, hops: int) -> dict[str, Kept]:
        """The parameters whose objects are copied, and the copies kept, when a function is called."""
        known = self._copied.get(function)
        if known is None:
            self._copied[function] = {}  # a question that leads back to itself
            known = self._copied[function] = dict(self._find(function, hops)) if hops else {}
        return known

    def _find(self, function: FunctionInfo, hops: int) -> Iterator[tuple[str, Kept]]:
        if function in self.keepers:
            yield function.facts.params[0].name, self.keepers[function]
        names = [p.name for p in function.facts.params if self._may_be_copied(function, p)]
        if not names:
            return
        for name, kept in self._taken(function):
            if name in names:
                yield name, kept
        for call in all_calls(function):
            for expr, kept in self.given(call, Scope(function), hops - 1):
                if isinstance(expr, Name) and expr.id in names:
                    yield expr.id, kept

    def _may_be_copied(self, function: FunctionInfo, param: Param) -> bool:
        """Whether a parameter may be an object that keeps copies of itself."""
        if param.name in function.bindings or param.kind in ("args", "kwargs"):
            return False
        return self._keeps(Name(param.name), Scope(function))

    def _taken(self, function: FunctionInfo) -> Iterator[tuple[str, Kept]]:
        """The variables that items are taken from."""
        scope = Scope(function)
        loops = [stmt.iter for stmt in statements(function.body) if isinstance(stmt, For)]
        every = function.everything
        loops += [loop.iter for part in every if isinstance(part, Comp) for loop in part.loops]
        for part in [*every, *loops]:
            base = part.value if isinstance(part, Item) else part
            if isinstance(base, Name) and (isinstance(part, Item) or any(base is it for it in loops)):
                kept = self.items_of(self._contract.infer.type_of(base, scope))
                if kept is not None:
                    yield base.id, kept

    def items_of(self, type_: Type) -> Kept | None:
        """The copy that taking an item of an object makes and keeps."""
        for cls in instances(type_):
            method = cls.method("__getitem__")
            if method in self.keepers:
                return self.keepers[method]
        return None

    @cached_property
    def stores(self) -> frozenset[str]:
        """The attributes that copies are kept in."""
        found = {name for keeper, kept in self.keepers.items() for name in _stores(keeper, kept.call)}
        return frozenset(found - {"__dict__"})

    def names_store(self, function: FunctionInfo) -> bool:
        """Whether a function has to do with where the copies are kept."""
        for part in function.everything:
            match part:
                case Attr(_, str(name)) | Const(str(name)) if name in self.stores:
                    return True
        return False

    def repaired(self, event: CallEvent, scope: Scope) -> Iterator[Value]:
        """What a call is given, or is made on, whose copies it throws away or gives the field."""
        for atom in self._contract.infer.callee(event.call, scope):
            if not isinstance(atom, Method) or atom.function in self.keepers:
                continue
            if self.names_store(atom.function) or _sets_items(atom.function, self._contract):
                yield event.receiver
                yield event.given

    def given(self, call: Call, scope: Scope, hops: int = _HOPS) -> Iterator[tuple[Expr, Kept]]:
        """What a call is given, or is made on, that it copies and keeps the copies of."""
        if not self.keepers:
            return
        for atom in in_order(self._contract.infer.callee(call, scope)):
            if not isinstance(atom, Method):
                continue
            copied = self._of(atom.function, hops)
            if not copied:
                continue
            first = atom.function.facts.params[0].name if atom.function.facts.params else ""
            if first in copied and isinstance(atom.receiver, Instance) and isinstance(call.func, Attr):
                yield call.func.value, copied[first]
            found = matched(atom.function, call, bound=atom.receiver is not None)
            for name, kept in copied.items():
                arg = None if found is None else found.by_name.get(name)
                if arg is not None:
                    yield arg, kept


def _sets_items(function: FunctionInfo, contract: Contract) -> bool:
    """Whether a function sets the field on items of something."""
    for stmt in statements(function.body):
        for target, _, _ in assigned_fields(stmt, function, contract.fields):
            if any(isinstance(value, Item) for value in function.values_of(target)):
                return True
    return False


def _is_stored(call: Call, function: FunctionInfo, itself: str) -> bool:
    """Whether the object that a call makes is put into something that belongs to ``self``."""
    return any(_belongs(place, function, itself, 4) for place in stored_in(call, function))


def _stores(keeper: FunctionInfo, call: Call) -> Iterator[str]:
    """The attributes of ``self`` that a method keeps what a call makes in."""
    for place in stored_in(call, keeper):
        yield from _named(place, keeper, 4)


def _named(place: Expr, function: FunctionInfo, hops: int) -> Iterator[str]:
    """The attributes on the way from ``self`` to a place, those by their name in a string too."""
    match place:
        case Attr(Name(name), attr) if name == function.facts.params[0].name:
            yield attr
        case Attr(value, _) | Item(value, _):
            yield from _named(value, function, hops)
        case Call(func, args):
            yield from (arg.value for arg in args if isinstance(arg, Const) and isinstance(arg.value, str))
            yield from _named(func, function, hops)
        case Name(name) if hops:
            for value in function.bindings.get(name, ()):
                yield from _named(value, function, hops - 1)


def _belongs(target: Expr, function: FunctionInfo, itself: str, hops: int) -> bool:
    """Whether something is reached from ``self``: an attribute, an item, what a method of it gives."""
    match target:
        case Attr(Name(name), _) if name == itself:
            return True
        case Attr(value, _) | Item(value, _):
            return _belongs(value, function, itself, hops)
        case Call(func):
            return _belongs(func, function, itself, hops)
        case Name(name) if hops:
            values = function.bindings.get(name, ())
            return any(_belongs(value, function, itself, hops - 1) for value in values)
    return False
