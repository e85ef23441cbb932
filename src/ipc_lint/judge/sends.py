"""Can what is sent find its way back? (the facts behind ``send-without-origin``, ``unroutable-send``)"""

from __future__ import annotations

from collections.abc import Iterator

from ipc_lint.contract.infer import Contract, is_absent
from ipc_lint.contract.nouns import Carrier, Sender, Stamper
from ipc_lint.facts import At, Call, Expr, Name
from ipc_lint.facts.walk import dotted
from ipc_lint.index.arguments import matched
from ipc_lint.index.callers import CallSite
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.scope import Scope
from ipc_lint.index.types import Dispatcher, Instance, Method, Type, in_order
from ipc_lint.judge.constructions import Constructions
from ipc_lint.judge.events import CallEvent, Flow
from ipc_lint.judge.origins import Origin, is_at_the_call, judged, origins
from ipc_lint.judge.results import Results, called
from ipc_lint.judge.values import Status, Value
from ipc_lint.judge.verdicts import Verdict, Witness
from ipc_lint.model import Lost, Outcome, Passed, Stamped, Unproven

_HOPS = 3


class Sends:
    """Judges every call of a sender."""

    def __init__(self, contract: Contract, results: Results, constructions: Constructions) -> None:
        self._contract = contract
        self._results = results
        self._constructions = constructions

    def judge(self) -> Iterator[Verdict]:
        """A verdict for every send of the project."""
        for sender in self._contract.senders.values():
            for site in self._contract.calls_of(sender.function):
                verdict = self._verdict(sender, site) if self._results.is_asked(site.caller) else None
                if verdict is not None:
                    yield verdict

    def _verdict(self, sender: Sender, site: CallSite) -> Verdict | None:
        found = matched(sender.function, site.call, bound=site.bound)
        if found is None:
            return None
        output = found.by_name.get(sender.output)
        origin = found.by_name.get(sender.origin) if sender.origin is not None else None
        carrier: Carrier | None = None
        code: str | None = None
        at_hand: Origin | None = None
        outcome: Outcome
        if output is None or (found.open and origin is None):
            outcome = Unproven("the arguments come from a * or ** whose content is not known")
        elif not is_absent(origin):
            outcome = Stamped(sender.name, f"{sender.name} copies the field from {_text(origin)}")
        else:
            outcome, code, carrier, at_hand = self._without_origin(sender, site, output)
        return Verdict(
            "send",
            site.caller,
            site.call.at,
            sender.name,
            outcome,
            self._contract.fields.single if carrier is None else self._contract.field_of(carrier),
            code,
            carrier,
            None if at_hand is None else at_hand.text,
            at_hand is not None and self._is_safe(sender, at_hand, site),
            parameter=sender.origin or "",
            place=_place(sender, site),
            witnesses=tuple(self._chain(sender)) if code is not None else (),
            call=site.call,
        )

    def _chain(self, sender: Sender) -> Iterator[Witness]:
        """The way from the called sender to the one that copies the field."""
        seen: set[FunctionInfo] = set()
        role: Sender | Stamper | None = sender
        while role is not None and role.function not in seen:
            seen.add(role.function)
            name = role.function.facts.qualname
            inner = role.through if isinstance(role, Sender) else None
            if inner is not None:
                text = f"`{name}` hands it on to `{inner.facts.qualname}`"
                yield Witness(role.function, role.function.facts.at, text)
                role = self._contract.senders.get(inner) or self._contract.stampers.get(inner)
            elif role.origin is not None:
                text = f"`{name}` copies the field from its `{role.origin}`"
                yield Witness(role.function, role.function.facts.at, text)

    def _is_safe(self, sender: Sender, origin: Origin, site: CallSite) -> bool:
        """Whether the origin may be added: a name of one meaning, and a gate that lets it in."""
        gated = any(gate.subject == stamp.origin for stamp in sender.stamps for gate in stamp.gates)
        plain = isinstance(origin.expr, Name) and is_at_the_call(origin, site.call, site.caller)
        return plain and origin.certain and not gated

    def _without_origin(
        self, sender: Sender, site: CallSite, output: Expr
    ) -> tuple[Outcome, str | None, Carrier | None, Origin | None]:
        if sender.fallback:
            return Unproven(f"{sender.name} has another way to an address"), None, None, None
        flow = self._results.flow(site.caller)
        event = None if flow is None else flow.events.get(site.call.at)
        if flow is None or event is None:
            return Unproven("no way leads to this call"), None, None, None
        value = event.value(output)
        carriers = self._contract.carriers_of(value.type)
        if not carriers:
            return Unproven("the class of the output is not known"), None, None, None
        carrier = carriers[0]
        if self._is_forwarded(output, site):
            return Unproven("its callers are judged"), None, carrier, None
        status = self._status(event, value, site)
        if status == Status.SET:
            return Passed("the output has the field already"), None, carrier, None
        if status == Status.UNKNOWN:
            return Unproven("whether the output has the field is not known"), None, carrier, None
        if self._is_lost_before(value, flow, site.caller, _HOPS):
            return Unproven("the construction of the output is the fault"), None, carrier, None
        at_hand = None
        if sender.origin is not None:
            at_hand = self._at_hand(event, value, output, site, flow, carrier)
        if at_hand is not None:
            return Lost("the origin is at hand and not given"), "IPC101", carrier, at_hand
        return Lost("there is neither an origin nor a field"), "IPC102", carrier, None

    def _status(self, event: CallEvent, value: Value, site: CallSite) -> Status:
        """Whether the output has the field when it is sent."""
        return min((self._of(at, event, site.caller) for at in value.made), default=Status.UNKNOWN)

    def _of(self, at: At, event: CallEvent, function: FunctionInfo) -> Status:
        status = event.status.get(at, Status.UNKNOWN)
        if at.line or status != Status.UNKNOWN:
            return status
        # A parameter that nothing was done to is as its callers give it.
        given = self._results.given_by_callers(function, function.facts.params[at.column].name)
        return min([Status.UNKNOWN, *(theirs for made, theirs in given if made.line)])

    def _is_forwarded(self, output: Expr, site: CallSite) -> bool:
        """Whether the output is a parameter of a function that is itself a sender without origin."""
        mine = self._contract.senders.get(site.caller)
        return mine is not None and output == Name(mine.output)

    def _is_lost_before(self, value: Value, flow: Flow, function: FunctionInfo, hops: int) -> bool:
        """Whether what is sent is already reported where it is made, here or by a function called here."""
        calls = [flow.events[at].call for at in sorted(value.made) if at in flow.events]
        if any(v.code is not None for v in self._constructions.judge(function, calls)):
            return True  # one fault, one finding
        for call in calls if hops else ():
            for maker in called(self._contract.infer.callee(call, Scope(function))):
                inner = self._results.flow(maker) if self._results.is_maker(maker) else None
                if inner is not None and self._is_lost_before(inner.returned, inner, maker, hops - 1):
                    return True
        return False

    # ----------------------------------------------------------------- at hand

    def _at_hand(
        self, event: CallEvent, value: Value, output: Expr, site: CallSite, flow: Flow, carrier: Carrier
    ) -> Origin | None:
        """The object that the output answers: its identity's, or the one carrier around."""
        field = self._contract.field_of(carrier)
        for at in sorted(value.made):
            made = flow.events.get(at)
            if made is not None:
                dispatched = self._dispatched(made, site.caller, field)
                if dispatched is not None:
                    return dispatched
                for origin in self._identity_of(made, site.caller, field, _HOPS):
                    if origin.proven:
                        return origin
        names = {
            name: known
            for name, known in event.names.items()
            if name != _text(output)
            and not any(at.line for at in known.made)
            and self._is_candidate(name, site.caller, event)
        }
        found = [
            (name, judged(self._contract, Name(name), known.type, field))
            for name, known in sorted(names.items())
            if self._contract.carriers_of(known.type)
        ]
        proven = [origin for _, origin in found if origin is not None and origin.carrier is not None]
        return proven[0] if len(proven) == 1 else None

    def _dispatched(self, event: CallEvent, function: FunctionInfo, field: str) -> Origin | None:
        """What was given to a dispatcher is what its result answers."""
        callee = self._contract.infer.callee(event.call, Scope(function))
        if len(event.call.args) != 1 or event.call.keywords:
            return None
        given = event.call.args[0]
        for atom in in_order(callee):
            if isinstance(atom, Dispatcher):
                taken = frozenset(Instance(cls) for cls in atom.classes)
                return judged(self._contract, given, taken, field)
        return None

    def _is_candidate(self, name: str, function: FunctionInfo, event: CallEvent) -> bool:
        """A parameter, or a variable of a loop around, may be what a send answers; no other local."""
        if function.takes_self and name == function.facts.params[0].name:
            return False
        return name in event.around or any(param.name == name for param in function.facts.params)

    def _identity_of(
        self, event: CallEvent, function: FunctionInfo, field: str, hops: int
    ) -> Iterator[Origin]:
        """The objects that the identity of what a call makes comes from, through helpers too."""
        callee: Type = self._contract.infer.callee(event.call, Scope(function))
        for making in self._results.makings.of(event.call, callee):
            yield from origins(self._contract, making, event, field)
        if not hops:
            return
        for atom in in_order(callee):
            if isinstance(atom, Method):
                yield from self._identity_through(atom, event, field, hops)

    def _identity_through(self, atom: Method, event: CallEvent, field: str, hops: int) -> Iterator[Origin]:
        if not self._results.is_maker(atom.function):
            return
        flow = self._results.flow(atom.function)
        found = matched(atom.function, event.call, bound=atom.receiver is not None)
        if flow is None or found is None:
            return
        for at in sorted(flow.returned.made):
            inner = flow.events.get(at)
            if inner is None:
                continue
            for origin in self._identity_of(inner, atom.function, field, hops - 1):
                given = found.by_name.get(origin.text or "")
                if given is not None:
                    outer = judged(self._contract, given, event.value(given).type, field)
                    if outer is not None:
                        yield outer


def _place(sender: Sender, site: CallSite) -> int:
    """The position of the origin among the arguments of the call."""
    params = sender.function.params_for(bound=site.bound)
    names = [p.name for p in params if p.kind == "positional"]
    return names.index(sender.origin) if sender.origin in names else -1


def _text(expr: Expr | None) -> str:
    """The source of an expression, as far as it is a name."""
    if expr is None:
        return "nothing"
    return dotted(expr) or (f"{dotted(expr.func) or 'a call'}(...)" if isinstance(expr, Call) else "it")
