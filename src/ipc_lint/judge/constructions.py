"""Does a construction hand the field on? (the facts behind ``dropped-field``)"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ipc_lint.contract.infer import Contract
from ipc_lint.contract.nouns import Carrier
from ipc_lint.facts import Call, Expr, Name
from ipc_lint.facts.walk import variables
from ipc_lint.index.callers import CallSite
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.scope import Scope
from ipc_lint.judge.apart import are_apart, single
from ipc_lint.judge.events import CallEvent, Flow
from ipc_lint.judge.makings import Making
from ipc_lint.judge.origins import Origin, copies, is_at_the_call, judged, origins
from ipc_lint.judge.rebuilds import is_set_where_kept, is_set_where_taken, own_copy
from ipc_lint.judge.results import Results
from ipc_lint.judge.values import Status
from ipc_lint.judge.verdicts import Verdict, Witness
from ipc_lint.model import Lost, NoClient, Outcome, Passed, Stamped, Unproven

# So many attributes copied under their own names make a construction a rebuild of its origin.
_REBUILD = 3
# Decorators that leave a function what it is.
_PLAIN = frozenset(
    "staticmethod classmethod property cached_property override abstractmethod contextmanager cache "
    "lru_cache wraps no_grad inference_mode".split()
)


class Constructions:
    """Judges the constructions of one function after the other."""

    def __init__(self, contract: Contract, results: Results) -> None:
        self._contract = contract
        self._results = results

    def judge(self, function: FunctionInfo, calls: Iterable[Call]) -> Iterator[Verdict]:
        """A verdict for each of a function's calls that makes a carrier."""
        scope = Scope(function)
        for call in calls:
            makings = self._results.makings.of(call, self._contract.infer.callee(call, scope))
            if makings:
                yield self._verdict(function, call, makings[0])

    def _verdict(self, function: FunctionInfo, call: Call, making: Making) -> Verdict:
        field = self._contract.field_of(making.carrier)
        outcome, code, origin = self._cleared(making, field), None, None
        if outcome is None:
            outcome, code, origin = self._traced(function, call, making, field)
        elif field in making.given:
            origin = self._crossed(function, call, making, field)
            if origin is not None:
                outcome, code = Lost(f"{field} is another object's"), "IPC003"
        return Verdict(
            "construction",
            function,
            call.at,
            making.carrier.cls.short,
            outcome,
            field,
            code,
            making.carrier,
            None if origin is None else origin.text,
            origin is not None and self._is_safe(origin, making, call, function),
            takes=making.takes(field) and making.by_keyword and not (origin is not None and origin.part),
            call=call,
            in_step=origin is not None and origin.in_step,
            place=_place(making, field),
            witnesses=tuple(_passed(making)),
            later=self._later_stamper() if self._contract.is_message(making.carrier.cls) else "",
        )

    def _is_safe(self, origin: Origin, making: Making, call: Call, function: FunctionInfo) -> bool:
        """Whether the field may be read from the origin and passed without a second look."""
        certain = origin.certain or origin.in_step
        return certain and not making.open and is_at_the_call(origin, call, function)

    def _cleared(self, making: Making, field: str) -> Outcome | None:
        """What the call alone says, without a look at the ways through the function."""
        status = making.status(field)
        if status == Status.SET:
            return Passed(f"{field} is passed")
        if status == Status.UNKNOWN:
            return Unproven("the arguments come from a * or ** whose content is not known")
        if not self._contract.identities & making.given.keys():
            return NoClient("it is not given the identity of anything")
        return None

    def _crossed(self, function: FunctionInfo, call: Call, making: Making, field: str) -> Origin | None:
        """The object that the identity comes from, where the field comes from an unrelated one."""
        given = [making.given[name] for name in sorted(self._contract.identities & making.given.keys())]
        if len(given) != 1 or _share(making.given[field], given[0]):
            return None  # the plain right way
        event = self._results.event(function, call)
        if event is None:
            return None
        address = single(event.value(making.given[field]), [field])
        identity = single(event.value(given[0]), self._contract.identities)
        if address is None or identity is None:
            return None
        if not are_apart(self._contract, function, identity.of, address.of):
            return None
        found = judged(self._contract, identity.of, identity.type, field)
        theirs = judged(self._contract, address.of, address.type, field)
        if found is None or theirs is None or found.carrier is None or theirs.carrier is None:
            return None
        # Of two kinds, one may well be what the other led to: a result and its job, an order and its session.
        alike = found.carrier.cls.is_akin(theirs.carrier.cls)
        return found if alike and found.certain and theirs.certain else None

    def _traced(
        self, function: FunctionInfo, call: Call, making: Making, field: str
    ) -> tuple[Outcome, str | None, Origin | None]:
        flow = self._results.flow(function)
        event = None if flow is None else flow.events.get(call.at)
        if flow is None or event is None:
            return Unproven("no way leads to this call"), None, None
        in_step = self._in_step(event, making, field)
        if in_step is not None:
            return self._unless_set_later(function, flow, event, making, in_step, field)
        copied = own_copy(self._contract, making, event, function, field)
        if copied is not None:
            return self._unless_set_later(function, flow, event, making, copied, field)
        found = list(origins(self._contract, making, event, field))
        proven = [origin for origin in found if origin.proven]
        if not proven:
            why = "its identity is not copied from anything that has the field"
            return NoClient(why), None, None
        origin = proven[0]
        if self._contract.is_message(making.carrier.cls):
            return self._message(function, flow, event, making, origin, field)
        return self._unless_set_later(function, flow, event, making, origin, field)

    def _message(
        self, function: FunctionInfo, flow: Flow, event: CallEvent, making: Making, origin: Origin, field: str
    ) -> tuple[Outcome, str | None, Origin | None]:
        """A message may still be stamped when it is sent; one that is rebuilt has to keep the field."""
        stamper = self._later_stamper()
        if origin.carrier is None or copies(making, event, origin) < _REBUILD:
            why = f"a message: {stamper} sets the field if it is sent through it"
            return Stamped(stamper, why), None, None
        return self._unless_set_later(function, flow, event, making, origin, field)

    def _later_stamper(self) -> str:
        senders = list(self._contract.senders.values())
        stampers = list(self._contract.stampers.values())
        chosen = [s.function for s in senders or stampers]
        return chosen[0].facts.qualname if chosen else "a sender"

    def _unless_set_later(
        self, function: FunctionInfo, flow: Flow, event: CallEvent, making: Making, origin: Origin, field: str
    ) -> tuple[Outcome, str | None, Origin | None]:
        if event.call.at in flow.excused:
            return Unproven(flow.excused[event.call.at]), None, None
        leaves = flow.leaves.get(event.call.at, [])
        if not leaves:
            return NoClient("the object does not leave the function"), None, None
        if not self._contract.stampers and self._results.living.goes_without(making.carrier):
            return NoClient(f"nobody fills or reads {field} of a {making.carrier.cls.short}"), None, None
        lost = [leave for leave in leaves if leave.status == Status.UNSET]
        if not lost:
            return Passed(f"{field} is set before the object leaves"), None, None
        returned = all(leave.how == "returned" for leave in lost)
        if returned and self._callers_set(function, making.carrier):
            return Passed(f"every caller sets {field} on the result"), None, None
        if is_set_where_kept(self._contract, function, event.call):
            return Unproven(f"{field} is set on what is kept under that name"), None, None
        if returned and function.decorators - _PLAIN:
            return Unproven("a decorator gets the result first"), None, None
        if origin.own and is_set_where_taken(self._contract, function):
            return Unproven(f"{field} is set on what is taken from it"), None, None
        # A message rebuilt without the field is one refactoring away from losing it, whoever sends it.
        rebuilt = origin.carrier is not None and self._contract.is_message(making.carrier.cls)
        if returned and not rebuilt and self._has_unseen_callers(function):
            return Unproven("who gets the result is not known"), None, None
        code = "IPC301" if origin.own else "IPC001"
        if event.call.at in flow.stamped:
            return Lost(f"{field} is set on some ways only"), code, origin
        if field in making.given:
            return Lost(f"{field} is passed as None"), "IPC002", origin
        return Lost(f"{field} is neither passed nor set"), code, origin

    def _callers_set(self, function: FunctionInfo, carrier: Carrier) -> bool:
        """Whether every caller sets the field on what the function returns."""
        callers = self._contract.infer.callers
        sites = [site for method in _answering(function) for site in callers.of(method)]
        return bool(sites) and all(self._sets(site, carrier) for site in sites)

    def _has_unseen_callers(self, function: FunctionInfo) -> bool:
        """Whether the result goes to somebody who can't be seen: a table, a decorator, a dispatcher.

        A function that is called by nobody may be called by whoever stamps results of calls that
        can't be resolved.
        """
        if function.decorators - _PLAIN or self._contract.infer.callers.is_handed_over(function):
            return True
        return not self._contract.infer.callers.of(function) and self._contract.stamps_results

    def _sets(self, site: CallSite, carrier: Carrier) -> bool:
        flow = self._results.flow(site.caller)
        if flow is None:
            return False
        leaves = flow.leaves.get(site.call.at, [])
        if site.call.at in flow.excused or (leaves and all(leave.status == Status.SET for leave in leaves)):
            return True
        # In a loop over the results, or on what is unpacked from them.
        targets = self._contract.set_in.get(site.caller, [])
        types = [self._contract.infer.type_of(target, Scope(site.caller)) for target in targets]
        return any(carrier in self._contract.carriers_of(type_) for type_ in types)

    def _in_step(self, event: CallEvent, making: Making, field: str) -> Origin | None:
        """The local list that was filled with addresses beside the one given as identity."""
        if field != self._contract.fields.batch:
            return None
        given = [making.given[name] for name in sorted(self._contract.identities) if name in making.given]
        for expr in given:
            sources = event.value(expr).sources
            objects = {s.of for s in sources if s.name in self._contract.identities and not s.part}
            for name, value in sorted(event.names.items()):
                filled = any(
                    s.name == self._contract.fields.single and s.of in objects and not s.part
                    for s in value.sources
                )
                if filled and Name(name) not in given:
                    return Origin(Name(name), name, making.carrier, True, in_step=True)
        return None


def _place(making: Making, field: str) -> int:
    """The position of the field among the arguments of the constructor, -1 for none."""
    names = [p.name for p in making.carrier.params or () if p.kind == "positional"]
    return names.index(field) if field in names and not making.through else -1


def _share(one: Expr, other: Expr) -> bool:
    """Whether two expressions have a variable in common, or one has none."""
    names, others = variables(one), variables(other)
    return bool(names & others) or not names or not others


def _passed(making: Making) -> Iterator[Witness]:
    """The factories that a construction goes through."""
    for factory in making.through:
        text = f"`{factory.name}` hands its arguments on, in the end to `{making.carrier.cls.short}`"
        yield Witness(factory, factory.facts.at, text)


def _answering(function: FunctionInfo) -> list[FunctionInfo]:
    """A method and those that it overrides: whoever calls one of them may get its result."""
    bases = function.owner.mro if function.owner is not None else ()
    found = [cls.own_method(function.name) for cls in bases]
    return list(dict.fromkeys([function, *(method for method in found if method is not None)]))
