"""Walks of functions, made once each, and what a call of a function that makes carriers gives."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ipc_lint.contract.infer import Contract
from ipc_lint.facts import At, Call
from ipc_lint.index.arguments import matched
from ipc_lint.index.callers import CallSite
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.types import Dispatcher, Method, Type
from ipc_lint.judge.events import CallEvent, Flow
from ipc_lint.judge.flow import Walker
from ipc_lint.judge.keeping import Keeping
from ipc_lint.judge.living import Living
from ipc_lint.judge.makings import Makings
from ipc_lint.judge.values import Status, Value

# So many functions hand on each other's results only in generated code, and each takes room on the stack.
_DEEPEST = 30


class Results:
    """Remembers walks; a walk that leads back to itself gives nothing.

    ``asked`` are the paths of the files whose sites are to be judged, None for all.
    """

    def __init__(self, contract: Contract, asked: Collection[str] | None = None) -> None:
        self.contract = contract
        self._asked = asked
        self.makings = Makings(contract)
        self.keeping = Keeping(contract, self.makings)
        self.living = Living(contract, self.makings)
        self._flows: dict[FunctionInfo, Flow | None] = {}
        self._under_way = 0

    def is_asked(self, function: FunctionInfo) -> bool:
        """Whether the sites in a function are to be judged."""
        return self._asked is None or function.module.path in self._asked

    def flow(self, function: FunctionInfo) -> Flow | None:
        """The walk over a function; None while it is under way."""
        if function not in self._flows:
            if self._under_way >= _DEEPEST:
                return None
            self._flows[function] = None
            self._under_way += 1
            self._flows[function] = Walker(self.contract, function, self).walk()
            self._under_way -= 1
        return self._flows[function]

    def event(self, function: FunctionInfo, call: Call) -> CallEvent | None:
        """A call as the walk over its function reaches it; None if it doesn't, or is under way."""
        flow = self.flow(function)
        return None if flow is None else flow.events.get(call.at)

    def given_by_callers(self, function: FunctionInfo, name: str) -> Iterator[tuple[At, Status]]:
        """The objects that callers give for a parameter, and whether each has the field by then."""
        for event, value in self.arguments(function, name, self.contract.infer.callers.of(function)):
            yield from ((at, event.status.get(at, Status.UNKNOWN)) for at in value.made)

    def arguments(
        self, function: FunctionInfo, name: str, sites: Iterable[CallSite]
    ) -> Iterator[tuple[CallEvent, Value]]:
        """What some calls of a function give for a parameter, where the walks over the callers reach them."""
        for site in sites:
            found = matched(function, site.call, bound=site.bound)
            arg = None if found is None else found.by_name.get(name)
            event = None if arg is None else self.event(site.caller, site.call)
            if arg is not None and event is not None:
                yield event, event.value(arg)

    def status_of(self, call: Call, callee: Type, event: CallEvent) -> Status | None:
        """Whether the carrier that a call makes has the field; None if it makes none."""
        makings = self.makings.of(call, callee)
        if makings:
            return min(making.status(self.contract.field_of(making.carrier)) for making in makings)
        found = (self.returned_status(function) for function in called(callee))
        return min((status for status in found if status is not None), default=None)

    def returned_status(self, function: FunctionInfo) -> Status | None:
        """Whether what a function makes and returns has the field; None if it makes nothing."""
        if not self.is_maker(function):
            return None
        flow = self.flow(function)
        if flow is None:
            return None
        statuses = [
            leave.status
            for at in flow.returned.made
            for leave in flow.leaves.get(at, [])
            if leave.how == "returned"
        ]
        return min(statuses) if statuses else None

    def is_maker(self, function: FunctionInfo) -> bool:
        """Whether a function may make a carrier itself and return it."""
        found = self.contract.carriers_of(self.contract.infer.returns(function))
        if not found:
            return False
        return any(name in function.text for name in self.contract.maker_names)


def called(callee: Type) -> list[FunctionInfo]:
    """The functions that a call may reach, through a dispatcher too, in a stable order."""
    handlers = [handler for atom in callee if isinstance(atom, Dispatcher) for handler in atom.handlers]
    found = {atom.function for atom in (*callee, *handlers) if isinstance(atom, Method)}
    found |= {method for function in found if function.is_left_open for method in _overriding(function)}
    return sorted(found, key=lambda function: (function.qualname, function.module.path, function.facts.at))


def _overriding(function: FunctionInfo) -> Iterator[FunctionInfo]:
    """The methods of subclasses that take a method's place."""
    for cls in function.owner.descendants if function.owner is not None else ():
        method = cls.own_method(function.name)
        if method is not None:
            yield method
