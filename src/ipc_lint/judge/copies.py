"""Copies of carriers: a method that rebuilds its own class, and functions that copy any object."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ipc_lint.contract.infer import Contract, is_absent
from ipc_lint.facts import Attr, Call, Const, Expr, Map, Name
from ipc_lint.facts.walk import last_name, parts
from ipc_lint.index.callers import all_calls
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.scope import Scope
from ipc_lint.index.types import External, Method, Type
from ipc_lint.judge.calls import COPIES, COPY_FUNCTIONS, COPY_METHODS
from ipc_lint.judge.results import Results
from ipc_lint.judge.verdicts import Verdict
from ipc_lint.model import Outcome, Passed, Unproven

_HOPS = 2


def classified(verdict: Verdict) -> Verdict:
    """A construction that is a copy, as such; any other verdict as it is."""
    return replace(verdict, kind="copy") if is_rebuild(verdict) else verdict


def is_rebuild(verdict: Verdict) -> bool:
    """Whether a construction in a method makes its own class anew, from ``self`` or by ``cls(...)``."""
    method = verdict.function.method_around
    call, carrier = verdict.call, verdict.carrier
    if verdict.kind != "construction" or method is None or call is None or carrier is None:
        return False
    owner = method.owner
    if owner is None or not owner.is_akin(carrier.cls):
        return False
    itself = Name(method.facts.params[0].name)
    if "classmethod" in method.decorators:
        return call.func == itself
    given = (call.func, *call.args, *[word.value for word in call.keywords])
    return any(_reads(expr, itself, verdict.function, _HOPS) for expr in given)


def _reads(expr: Expr, itself: Name, function: FunctionInfo, hops: int) -> bool:
    """Whether an expression is made from an object: its attributes, or a look at the whole of it."""
    for part in parts(expr):
        match part:
            case Attr(base, _) if base == itself:
                return True
            case Call(_, args) if itself in args:
                return True
            case Name(name) if hops:
                if any(
                    _reads(value, itself, function, hops - 1) for value in function.bindings.get(name, ())
                ):
                    return True
    return False


class Copies:
    """Judges the calls that copy a carrier without naming its class."""

    def __init__(self, contract: Contract, results: Results) -> None:
        self._contract = contract
        self._results = results

    def judge(self) -> Iterator[Verdict]:
        """A verdict for every such call of the project."""
        for module in self._contract.project.modules.values():
            for function in (*module.functions.values(), module.toplevel):
                for call in all_calls(function):
                    if last_name(call.func) in COPIES:
                        yield from self._verdict(function, call)

    def _verdict(self, function: FunctionInfo, call: Call) -> Iterator[Verdict]:
        copied = self._copied(call, function)
        if copied is None:
            return
        carriers = self._contract.carriers_of(self._type(copied, call, function))
        if carriers:
            field = self._contract.field_of(carriers[0])
            yield Verdict(
                "copy",
                function,
                call.at,
                " | ".join(carrier.cls.short for carrier in carriers),
                _outcome(call, field),
                field,
                carrier=carriers[0],
                call=call,
            )

    def _copied(self, call: Call, function: FunctionInfo) -> Expr | None:
        """The object that a call copies, if it copies one."""
        callee = self._contract.infer.callee(call, Scope(function))
        if any(isinstance(atom, External) and atom.name in COPY_FUNCTIONS for atom in callee):
            return call.args[0] if call.args else None
        match call.func:
            case Attr(receiver, name) if name in COPY_METHODS:
                return None if any(isinstance(atom, Method) for atom in callee) else receiver
        return None

    def _type(self, expr: Expr, call: Call, function: FunctionInfo) -> Type:
        """What an expression in a call may be, as the ways to the call leave it."""
        event = self._results.event(function, call)
        if event is not None:
            receiver = isinstance(call.func, Attr) and call.func.value is expr
            return (event.receiver if receiver else event.value(expr)).type
        return self._contract.infer.type_of(expr, Scope(function))


def _outcome(call: Call, field: str) -> Outcome:
    """What becomes of the field: a copy keeps it, unless it is given anew."""
    given: dict[str | None, Expr] = {word.name: word.value for word in call.keywords}
    update = given.pop("update", None)
    if isinstance(update, Map):
        keys = [key.value if isinstance(key, Const) else None for key in update.keys]
        given |= {
            str(key) if key is not None else None: value
            for key, value in zip(keys, update.values, strict=True)
        }
    elif update is not None:
        given[None] = update
    if field in given:
        if is_absent(given[field]):
            return Unproven(f"{field} is None on purpose")
        return Passed(f"{field} is passed")
    if None in given:
        return Unproven("a copy is made with fields that are not known")
    return Passed("a copy keeps the field")
