"""Does a sender replace an address that is already there? (the facts behind ``overwritten-route``)"""

from __future__ import annotations

from collections.abc import Iterator

from ipc_lint.contract.infer import Contract
from ipc_lint.contract.nouns import FieldPair, Sender
from ipc_lint.contract.stampers import assigned_fields, read_fields
from ipc_lint.facts import (
    Assign,
    At,
    Body,
    Call,
    Do,
    Expr,
    If,
    Jump,
    Name,
    Raise,
    Return,
    Stmt,
    Try,
    With,
)
from ipc_lint.facts.walk import dotted, read_expressions, statements, variables
from ipc_lint.index.arguments import matched
from ipc_lint.index.callers import CallSite
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.scope import Scope
from ipc_lint.judge.apart import are_apart, single
from ipc_lint.judge.events import CallEvent
from ipc_lint.judge.makings import Making
from ipc_lint.judge.results import Results
from ipc_lint.judge.verdicts import Verdict, Witness
from ipc_lint.model import Lost


class Overwrites:
    """Looks at the stamps of every sender that copies from an origin."""

    def __init__(self, contract: Contract, results: Results) -> None:
        self._contract = contract
        self._results = results

    def judge(self) -> Iterator[Verdict]:
        """A verdict for every stamp that replaces an address which a caller has set."""
        for sender in self._contract.senders.values():
            own = sender.through is None and sender.origin is not None
            own = own and self._results.is_asked(sender.function)
            at = _unguarded(sender, self._contract.fields) if own else None
            sites = self._contract.calls_of(sender.function) if at is not None else ()
            witnesses = [witness for site in sites for witness in self._set(sender, site)]
            if at is not None and witnesses:
                yield Verdict(
                    "stamp",
                    sender.function,
                    at,
                    sender.name,
                    Lost("an address that is already set is replaced"),
                    self._contract.fields.single,
                    "IPC202",
                    origin=sender.origin,
                    parameter=sender.output,
                    witnesses=tuple(witnesses),
                )

    def _set(self, sender: Sender, site: CallSite) -> Iterator[Witness]:
        """The constructions of an output that has an address of another object than the origin."""
        found = matched(sender.function, site.call, bound=site.bound)
        output = None if found is None else found.by_name.get(sender.output)
        origin = None if found is None else found.by_name.get(sender.origin or "")
        flow = self._results.flow(site.caller)
        event = None if flow is None else flow.events.get(site.call.at)
        if flow is None or event is None or output is None or origin is None:
            return
        for at in sorted(event.value(output).made & flow.events.keys()):
            made = flow.events[at]
            callee = self._contract.infer.callee(made.call, Scope(site.caller))
            for making in self._results.makings.of(made.call, callee):
                given = making.given.get(self._contract.fields.single)
                source = None if given is None else single(made.value(given), self._contract.fields.names)
                if source is not None and self._answers(making, made, origin):
                    continue  # its address is not its own: that is another rule's
                if source is not None and are_apart(self._contract, site.caller, source.of, origin):
                    text = f"{dotted(source.of)}.{source.name}"
                    yield Witness(site.caller, at, f"the output already has the address of `{text}`")

    def _answers(self, making: Making, made: CallEvent, origin: Expr) -> bool:
        """Whether the output has the identity of the origin that it is sent with."""
        given = [making.given[name] for name in self._contract.identities & making.given.keys()]
        return any(source.of == origin for expr in given for source in made.value(expr).sources)


def _unguarded(sender: Sender, fields: FieldPair) -> At | None:
    """The statement that sets the field on the output, if nothing but the origin decides whether it runs."""
    body = sender.function.body
    if any(stamp.gates for stamp in sender.stamps):
        return None
    own = Name(sender.output), fields.single
    if any(own in read_fields(expr, fields) for expr in read_expressions(body)):
        return None
    for stmt in _always_run(body, _apart_from(sender.origin or "", sender.function)):
        for target, name, _ in assigned_fields(stmt, sender.function, fields):
            if (target, name) == own:
                match stmt:
                    case Assign(at=at) | Do(Call(at=at)):
                        return at
    return None


def _apart_from(origin: str, function: FunctionInfo) -> frozenset[str]:
    """The variables that hold something else than the origin, or what is read from it alone."""
    own = {param.name for param in function.facts.params} | function.bindings.keys()
    mine = {origin}
    for name, values in function.bindings.items():
        if all(variables(value) & own <= mine for value in values):
            mine.add(name)
    return frozenset(own - mine)


def _always_run(body: Body, others: frozenset[str]) -> Iterator[Stmt]:
    """The statements of a body that run whatever some variables hold."""
    for stmt in body:
        yield stmt
        match stmt:
            case If(test, inner):
                if not variables(test) & others:
                    yield from _always_run(inner, others)
                elif any(isinstance(last, (Return, Raise, Jump)) for last in statements(inner)):
                    return
            case With(_, inner) | Try(inner):
                yield from _always_run(inner, others)
