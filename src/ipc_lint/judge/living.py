"""Is the field of a class in use at all? What nobody fills and nobody reads can't be lost."""

from __future__ import annotations

from ipc_lint.contract.infer import Contract
from ipc_lint.contract.nouns import Carrier
from ipc_lint.contract.stampers import assigned_fields
from ipc_lint.facts import Attr, Const, Name
from ipc_lint.facts.walk import parts, read_expressions, statements
from ipc_lint.index.classes import ClassInfo
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.scope import Scope
from ipc_lint.index.types import Type, instances
from ipc_lint.judge.makings import Makings


class Living:
    """Remembers, for one contract, which classes' field is filled or read somewhere."""

    def __init__(self, contract: Contract, makings: Makings) -> None:
        self._contract = contract
        self._makings = makings
        self._known: dict[ClassInfo, bool] = {}

    def goes_without(self, carrier: Carrier) -> bool:
        """Whether addresses are used in the project, and none ever belongs to an object of the class.

        Then whoever sends one reads the address elsewhere: it is routed by what it answers.
        """
        cls = carrier.cls
        if cls not in self._known:
            users = [f for name in self._contract.fields.names for f in self._contract.project.mentions(name)]
            used = [self._uses(function, cls) for function in dict.fromkeys(users)]
            self._known[cls] = any(some for some, _ in used) and not any(mine for _, mine in used)
        return self._known[cls]

    def _uses(self, function: FunctionInfo, cls: ClassInfo) -> tuple[bool, bool]:
        """Whether a function reads the field of anything; and whether it uses that of the class."""
        scope, fields = Scope(function), self._contract.fields
        own = function.takes_self and function.name in ("__init__", "__post_init__")
        itself = Name(function.facts.params[0].name) if own else None
        reads = [
            part.value
            for expr in read_expressions(function.body)
            for part in parts(expr)
            if isinstance(part, Attr) and part.name in fields.names and part.value != itself
        ]
        sets = [
            target
            for stmt in statements(function.body)
            for target, _, _ in assigned_fields(stmt, function, fields)
            if target != itself
        ]
        mine = any(_is(self._contract.infer.type_of(base, scope), cls) for base in (*reads, *sets))
        return bool(reads), mine or self._fills(function, cls)

    def _fills(self, function: FunctionInfo, cls: ClassInfo) -> bool:
        """Whether a function gives the field to an object of the class where it makes it."""
        for call in (call for group in function.calls.values() for call in group):
            for making in self._makings.of(call, self._contract.infer.callee(call, Scope(function))):
                given = making.given.get(self._contract.field_of(making.carrier))
                if given is not None and not isinstance(given, Const) and making.carrier.cls.is_akin(cls):
                    return True
        return False


def _is(type_: Type, cls: ClassInfo) -> bool:
    return any(found.is_akin(cls) for found in instances(type_))
