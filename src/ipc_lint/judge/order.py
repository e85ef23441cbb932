"""Does a stamp come before the copies that are made of its object? (the facts behind ``stamped-too-late``)"""

from __future__ import annotations

from collections.abc import Iterator

from ipc_lint.contract.infer import Contract
from ipc_lint.facts import At
from ipc_lint.facts.walk import dotted
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.scope import Scope
from ipc_lint.judge.events import CallEvent, Flow, Late
from ipc_lint.judge.results import Results, called
from ipc_lint.judge.values import Status
from ipc_lint.judge.verdicts import Verdict, Witness
from ipc_lint.model import Lost


class Order:
    """Looks at every function that sets the field on something."""

    def __init__(self, contract: Contract, results: Results) -> None:
        self._contract = contract
        self._results = results

    def judge(self) -> Iterator[Verdict]:
        """A verdict for every stamp that comes too late."""
        for function in filter(self._results.is_asked, self._contract.set_in):
            flow = self._results.flow(function) if self._results.keeping.sets(function) else None
            if flow is None:
                continue
            for token, late in flow.late.items():
                event = flow.events.get(late.stamp)
                if not (self._is_send(event, function) or self._is_set_by_callers(function, token)):
                    yield self._verdict(function, flow, late)

    def _is_set_by_callers(self, function: FunctionInfo, token: At) -> bool:
        """Whether some caller has set the field before it hands the object over."""
        if token.line:
            return False
        name = function.facts.params[token.column].name
        return any(status == Status.SET for _, status in self._results.given_by_callers(function, name))

    def _is_send(self, event: CallEvent | None, function: FunctionInfo) -> bool:
        """Whether the stamp is a send: what is sent has no need of its copies any more."""
        if event is None:
            return False
        callee = self._contract.infer.callee(event.call, Scope(function))
        return any(target in self._contract.senders for target in called(callee))

    def _verdict(self, function: FunctionInfo, flow: Flow, late: Late) -> Verdict:
        kept = late.kept
        carrier = self._contract.carriers[kept.function.owner] if kept.function.owner else None
        field = self._contract.fields.single if carrier is None else self._contract.field_of(carrier)
        return Verdict(
            "stamp",
            function,
            late.stamp,
            "an object" if carrier is None else carrier.cls.short,
            Lost(f"copies are made and kept before {field} is set"),
            field,
            "IPC401",
            carrier,
            _first_copy(flow, late),
            witnesses=tuple(_witnesses(function, late)),
        )


def _first_copy(flow: Flow, late: Late) -> str | None:
    """The call that makes the first copies, as far as it has a name."""
    event = None if late.copied is None else flow.events.get(late.copied)
    return None if event is None else dotted(event.call.func)


def _witnesses(function: FunctionInfo, late: Late) -> Iterator[Witness]:
    if late.copied is not None:
        yield Witness(function, late.copied, "copies are made here, before the stamp")
    kept = late.kept
    yield Witness(kept.function, kept.call.at, "the copy takes the address of that moment, and is kept")
