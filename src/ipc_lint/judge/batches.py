"""Do the items of a batch have the field, too? (the facts behind ``batch-items-unstamped``)"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ipc_lint.contract.infer import Contract
from ipc_lint.contract.nouns import Carrier
from ipc_lint.contract.stampers import read_fields
from ipc_lint.facts import At, Attr, Call, Expr, Item
from ipc_lint.facts.walk import last_name, read_expressions
from ipc_lint.index.classes import ClassInfo
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.scope import Scope
from ipc_lint.index.types import Type, instances, items
from ipc_lint.judge.calls import FILLS
from ipc_lint.judge.events import CallEvent, Flow
from ipc_lint.judge.makings import Making
from ipc_lint.judge.results import Results
from ipc_lint.judge.values import Status
from ipc_lint.judge.verdicts import Verdict, Witness
from ipc_lint.model import Lost


class Batches:
    """Looks at every construction of a carrier that holds carriers."""

    def __init__(self, contract: Contract, results: Results) -> None:
        self._contract = contract
        self._results = results
        self._declared: dict[ClassInfo, list[tuple[str, ClassInfo]]] = {}
        self._read: dict[FunctionInfo, tuple[Expr, ...]] = {}

    def judge(self) -> Iterator[Verdict]:
        """A verdict for every batch with an address whose items have none and are answered by themselves."""
        for carrier in self._contract.carriers.values():
            # First: what many carriers declare takes longest to look through.
            if not any(cls.derives(carrier.cls) for cls in self._taken_from):
                continue
            held = dict(self._held(carrier))
            reader = self._reader(carrier, held) if held else None
            if reader is None or self._is_handed_on(carrier, held):
                continue
            users = self._contract.project.mentions(carrier.cls.short)
            for function in filter(self._results.is_asked, users):
                for call in function.calls_named(carrier.cls.short):
                    verdict = self._verdict(function, call, carrier, held, reader)
                    if verdict is not None:
                        yield verdict

    def _held(self, carrier: Carrier) -> Iterator[tuple[str, ClassInfo]]:
        """The attributes of a carrier that are declared to hold carriers with the single field."""
        for cls in carrier.cls.mro:
            if cls not in self._declared:  # many derive from the same
                self._declared[cls] = list(self._held_by(cls))
            yield from ((name, inner) for name, inner in self._declared[cls] if inner is not carrier.cls)

    def _held_by(self, cls: ClassInfo) -> Iterator[tuple[str, ClassInfo]]:
        """What a class itself declares of that kind."""
        scope = self._contract.infer.scope_of_class(cls)
        for field in cls.facts.fields:
            if field.annotation is not None:
                type_ = items(self._contract.infer.said(field.annotation, scope))
                for inner in self._contract.carriers_of(type_):
                    if self._contract.fields.single in inner.fields:
                        yield field.name, inner.cls

    # ------------------------------------------------------------------ reader

    @cached_property
    def _taken_from(self) -> frozenset[ClassInfo]:
        """The classes of what has an item, or an attribute with an item, whose field somebody reads."""
        found: set[ClassInfo] = set()
        for function in self._contract.project.mentions(self._contract.fields.single):
            for base in self._read_from(function):
                for whole in self._wholes(base, function):
                    for expr in (whole, whole.value) if isinstance(whole, Attr) else (whole,):
                        found.update(instances(self._contract.infer.type_of(expr, Scope(function))))
        return frozenset(found)

    def _reader(self, carrier: Carrier, held: dict[str, ClassInfo]) -> Witness | None:
        """A place that reads the field of an item of such a batch."""
        for function in self._contract.project.mentions(self._contract.fields.single):
            if any(self._is_item(base, function, carrier, held) for base in self._read_from(function)):
                return Witness(function, function.facts.at, "the address of an item is read in here")
        return None

    def _is_handed_on(self, carrier: Carrier, held: dict[str, ClassInfo]) -> bool:
        """Whether somebody sets the field on an item of such a batch, or uses the batch's own address."""
        if any(self._is_item(target, user, carrier, held) for user, target in self._contract.set_objects):
            return True
        for name in sorted(self._contract.fields.names):
            for function in self._contract.project.mentions(name):
                if function not in self._contract.stampers:
                    scope = Scope(function)
                    for base in self._read_from(function):
                        found = instances(self._contract.infer.type_of(base, scope))
                        if any(cls.derives(carrier.cls) for cls in found):
                            return True
        return False

    def _read_from(self, function: FunctionInfo) -> tuple[Expr, ...]:
        """The objects that a function reads the field from."""
        if function not in self._read:
            fields = self._contract.fields
            read = (read_fields(expr, fields) for expr in read_expressions(function.body))
            self._read[function] = tuple(base for found in read for base, _ in found)
        return self._read[function]

    def _is_item(
        self, expr: Expr, function: FunctionInfo, carrier: Carrier, held: dict[str, ClassInfo]
    ) -> bool:
        """Whether an object is taken from a batch of a class."""
        for whole in self._wholes(expr, function):
            batch = whole.value if isinstance(whole, Attr) and whole.name in held else whole
            type_: Type = self._contract.infer.type_of(batch, Scope(function))
            if any(cls.derives(carrier.cls) for cls in instances(type_)):
                return True
        return False

    def _wholes(self, expr: Expr, function: FunctionInfo) -> Iterator[Expr]:
        """What an object is an item of."""
        for value in function.values_of(expr):
            if isinstance(value, Item):
                whole = value.value
                # enumerate(batch)
                yield whole.args[0] if isinstance(whole, Call) and whole.args else whole

    # ----------------------------------------------------------------- verdict

    def _verdict(
        self,
        function: FunctionInfo,
        call: Call,
        carrier: Carrier,
        held: dict[str, ClassInfo],
        reader: Witness,
    ) -> Verdict | None:
        flow = self._results.flow(function)
        event = None if flow is None else flow.events.get(call.at)
        makings = self._results.makings.of(call, self._contract.infer.callee(call, Scope(function)))
        if flow is None or event is None or not makings or makings[0].carrier is not carrier:
            return None
        bare = self._bare_items(makings[0], event, flow, held)
        if not bare or not self._has_address(call, makings[0], flow):
            return None
        item = held[bare[0][0]]
        return Verdict(
            "construction",
            function,
            call.at,
            carrier.cls.short,
            Lost("the items have no address of their own"),
            self._contract.fields.single,
            "IPC302",
            self._contract.carriers[item],
            bare[0][0],
            witnesses=(Witness(function, bare[0][1], "the item is made here"), reader),
        )

    def _bare_items(
        self, making: Making, event: CallEvent, flow: Flow, held: dict[str, ClassInfo]
    ) -> list[tuple[str, At]]:
        """The items, made in the same function, that never get the field."""
        found = []
        for name in held.keys() & making.given.keys():
            for at in sorted(event.value(making.given[name]).made & flow.events.keys()):
                made = event.status.get(at, Status.UNKNOWN)
                seen = flow.stamped | flow.excused.keys()
                if made == Status.UNSET and at not in seen and not _is_shown(at, event.call, flow):
                    found.append((name, at))
        return found

    def _has_address(self, call: Call, making: Making, flow: Flow) -> bool:
        """Whether the batch itself has the field, or gets it."""
        field = self._contract.field_of(making.carrier)
        return making.status(field) == Status.SET or call.at in flow.stamped


def _is_shown(item: At, batch: Call, flow: Flow) -> bool:
    """Whether an item is given to anybody else before the batch is made, who may set its field."""
    return any(
        item in event.given.made and event.call is not batch and last_name(event.call.func) not in FILLS
        for at, event in flow.events.items()
        if at < batch.at
    )
