"""Does a gate shut out what callers answer with? (the facts behind ``gate-on-wrong-object``)"""

from __future__ import annotations

from collections.abc import Iterator

from ipc_lint.contract.infer import Contract
from ipc_lint.contract.nouns import Carrier, Gate, Stamp, Stamper
from ipc_lint.facts import At, Body, Expr, If, Match, Name
from ipc_lint.facts.walk import expressions, parts, statements
from ipc_lint.index.arguments import matched
from ipc_lint.index.classes import ClassInfo
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.scope import Scope
from ipc_lint.index.types import Type, classes_in
from ipc_lint.judge.events import CallEvent
from ipc_lint.judge.results import Results
from ipc_lint.judge.values import Status
from ipc_lint.judge.verdicts import Verdict, Witness
from ipc_lint.model import Lost, Outcome, Passed

_HOPS = 4


class Gates:
    """Judges the class tests of stampers that copy from an origin."""

    def __init__(self, contract: Contract, results: Results) -> None:
        self._contract = contract
        self._results = results

    def judge(self) -> Iterator[Verdict]:
        """A verdict for every gate of the project."""
        for stamper in self._contract.stampers.values():
            through = self._contract.senders.get(stamper.function)
            if stamper.origin is None or (through is not None and through.through is not None):
                continue
            if not self._results.is_asked(stamper.function):
                continue
            seen: set[tuple[object, ...]] = set()
            for stamp in stamper.stamps:
                for gate in stamp.gates:
                    if (gate.at, gate.subject) not in seen:
                        seen.add((gate.at, gate.subject))
                        yield self._verdict(stamper, stamp, gate)

    def _verdict(self, stamper: Stamper, stamp: Stamp, gate: Gate) -> Verdict:
        field = self._contract.fields.single
        outcome: Outcome = Passed("it tests the object that is written to")
        witnesses: tuple[Witness, ...] = ()
        carrier: Carrier | None = None
        if self._decides(stamper, stamp, gate):
            found = list(self._shut_out(stamper, gate))
            witnesses = tuple(witness for _, witness in found)
            if found:
                carrier = found[0][0]
                outcome = Lost(f"callers pass {carrier.cls.short}, which the test shuts out")
            else:
                outcome = Passed("every carrier that is known to be passed gets through")
        return Verdict(
            "gate",
            stamper.function,
            gate.at,
            stamper.function.facts.qualname,
            outcome,
            field,
            "IPC201" if witnesses else None,
            carrier,
            gate.subject,
            safe=bool(witnesses) and self._may_test_output(gate, stamper),
            witnesses=witnesses,
            parameter=stamp.output,
        )

    def _decides(self, stamper: Stamper, stamp: Stamp, gate: Gate) -> bool:
        """Whether the gate alone decides over the single field.

        It does not if the origin is made into something else first, or if the way of what is shut
        out does something with the origin: then that is dealt with by name.
        """
        function = stamper.function
        if gate.subject != stamp.origin or stamp.field != self._contract.fields.single:
            return False
        if stamp.origin in function.bindings:
            return False
        return not _mentions(_other_way(function.body, gate), gate.subject)

    def _shut_out(self, stamper: Stamper, gate: Gate) -> Iterator[tuple[Carrier, Witness]]:
        """The carriers that callers pass as origin and no stamp of the function lets in."""
        proofs: list[tuple[Carrier, Witness]] = []
        seen: set[tuple[FunctionInfo, At]] = set()
        for type_, function, at, message in self._passed(stamper, _HOPS):
            for carrier in self._contract.carriers_of(type_):
                if self._contract.fields.single not in carrier.fields or self._lets_in(stamper, carrier.cls):
                    continue
                if (function, at) not in seen:
                    seen.add((function, at))
                    proofs.append((carrier, Witness(function, at, message.format(carrier.cls.short))))
        yield from sorted(proofs, key=lambda proof: (proof[1].function.module.path, proof[1].at))

    def _passed(self, stamper: Stamper, hops: int) -> Iterator[tuple[Type, FunctionInfo, At, str]]:
        """What callers give as origin, followed through functions that hand on their own."""
        function, name = stamper.function, stamper.origin or ""
        for param in function.facts.params:
            if param.name == name and param.annotation is not None:
                said = self._contract.infer.said(param.annotation, Scope.of_signature(function))
                yield said, function, function.facts.at, f"{name} is declared as {{}} too"
        for site in self._contract.calls_of(function):
            found = matched(function, site.call, bound=site.bound)
            arg = None if found is None else found.by_name.get(name)
            event = self._results.event(site.caller, site.call)
            if found is None or arg is None or event is None:
                continue
            if not self._is_addressed(event, found.by_name.get(stamper.output)):
                yield event.value(arg).type, site.caller, site.call.at, "a {} is passed here"
            forwarder = self._contract.stampers.get(site.caller)
            if forwarder is not None and hops and self._hands_on_whole(forwarder, arg, event):
                for further in self._passed(forwarder, hops - 1):
                    if further[2] != further[1].facts.at:
                        yield further

    def _hands_on_whole(self, forwarder: Stamper, arg: Expr, event: CallEvent) -> bool:
        """Whether a function gives its own origin on as it came, not what a test has left of it."""
        if forwarder.origin is None or arg != Name(forwarder.origin):
            return False
        whole = self._contract.infer.name(forwarder.origin, Scope(forwarder.function))
        return event.value(arg).type == whole

    def _is_addressed(self, event: CallEvent, output: Expr | None) -> bool:
        """Whether the output has the field already: then the gate keeps nothing from it."""
        made = event.value(output).made if output is not None else frozenset()
        return bool(made) and all(event.status.get(at) == Status.SET for at in made)

    def _may_test_output(self, gate: Gate, stamper: Stamper) -> bool:
        """Whether the gate makes sense of the output too.

        Its classes all have the field, and it lets in whatever is known to be written to.
        """
        function, field = stamper.function, self._contract.fields.single
        classes: list[ClassInfo] = []
        for expr in gate.classes:
            classes += classes_in(self._contract.infer.type_of(expr, Scope(function))) or []
        carriers = [self._contract.carriers.get(cls) for cls in classes]
        if not gate.positive or not all(carrier and field in carrier.fields for carrier in carriers):
            return False
        given = [carrier for type_ in self._outputs(stamper) for carrier in self._contract.carriers_of(type_)]
        return all(self._admits(gate, carrier.cls, function) for carrier in given if field in carrier.fields)

    def _outputs(self, stamper: Stamper) -> Iterator[Type]:
        """What is declared, and what callers give, as the object that is written to."""
        function = stamper.function
        for param in function.facts.params:
            if param.name == stamper.output:
                yield self._contract.infer.param(function, param)
        sites = self._contract.calls_of(function)
        for _, value in self._results.arguments(function, stamper.output, sites):
            yield value.type

    def _lets_in(self, stamper: Stamper, cls: ClassInfo) -> bool:
        """Whether some stamp of the function happens for an origin of this class."""
        for stamp in stamper.stamps:
            mine = [gate for gate in stamp.gates if gate.subject == stamp.origin]
            if any(self._is_dealt_with(gate, cls, stamper.function) for gate in mine):
                return True
            if all(self._admits(gate, cls, stamper.function) for gate in mine):
                return True
        return False

    def _is_dealt_with(self, gate: Gate, cls: ClassInfo, function: FunctionInfo) -> bool:
        """Whether a test shuts a class out on purpose, into a block that uses the origin."""
        if gate.positive or self._admits(gate, cls, function):
            return False
        return _mentions(_other_way(function.body, gate), gate.subject)

    def _admits(self, gate: Gate, cls: ClassInfo, function: FunctionInfo) -> bool:
        classes: list[ClassInfo] = []
        for expr in gate.classes:
            known = classes_in(self._contract.infer.type_of(expr, Scope(function)))
            if known is None:
                return True  # a class that is not known may be the one: no proof
            classes += known
        holds = cls in classes if gate.exact else any(cls.derives(base) for base in classes)
        return holds is gate.positive


def _mentions(body: Body, name: str) -> bool:
    return any(part == Name(name) for expr in expressions(body) for part in parts(expr))


def _other_way(body: Body, gate: Gate) -> Body:
    """The block that is gone through by what a gate shuts out, if it has one of its own."""
    for stmt in statements(body):
        match stmt:
            case If(test, then, orelse) if gate.at in {getattr(part, "at", None) for part in parts(test)}:
                return orelse if gate.positive else then
            case Match(_, cases):
                for case in cases:
                    if case.at == gate.at and not gate.positive:
                        return case.body
    return ()
