"""Where the field is set on an object that is there already, and the class tests on the way there.

None of it is a fault by itself, so it is looked for only where every site is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from ipc_lint.contract.conditions import guarded
from ipc_lint.contract.infer import Contract, is_absent
from ipc_lint.contract.nouns import FieldPair, Gate, Stamper
from ipc_lint.contract.stampers import assigned_fields, stamps_in
from ipc_lint.facts import (
    Assign,
    At,
    Attr,
    Bool,
    Call,
    Choice,
    Comp,
    Const,
    Do,
    Expr,
    Item,
    Name,
    Other,
    Seq,
    Stmt,
)
from ipc_lint.facts.walk import own_expressions, parts, statements
from ipc_lint.index.arguments import matched
from ipc_lint.index.callers import CallSite
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.judge.verdicts import Verdict
from ipc_lint.model import Outcome, Passed, Stamped, Unproven

_HOPS = 5


class Stamps:
    """Judges the assignments to the field, and the calls of stampers that send nothing."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract

    def judge(self) -> Iterator[Verdict]:
        """A verdict for every stamp of the project."""
        for function in _setting(self._contract):
            for stmt in statements(function.body):
                for at, target, field, value in _places(stmt, function, self._contract.fields):
                    outcome = _outcome(value, function, self._contract.fields)
                    yield self._verdict(function, at, _text(target), field, outcome)
        yield from self._calls()

    def _calls(self) -> Iterator[Verdict]:
        """The calls of functions that set the field on a parameter, or on their own object."""
        senders, stampers = self._contract.senders, self._contract.stampers
        for function, stamper in stampers.items():
            for site in () if function in senders else self._contract.calls_of(function):
                yield self._call(function, site, _stamped(stamper, site))
        own = sorted(self._contract.self_setters - stampers.keys(), key=lambda function: function.qualname)
        for function in own:
            for site in self._contract.infer.callers.of(function):
                func = site.call.func
                receiver = _text(func.value) if isinstance(func, Attr) else "it"
                why = f"{function.facts.qualname} sets the field on {receiver}"
                yield self._call(function, site, Stamped(function.facts.qualname, why))

    def _call(self, function: FunctionInfo, site: CallSite, outcome: Outcome) -> Verdict:
        field = self._contract.fields.single
        return self._verdict(site.caller, site.call.at, function.facts.qualname, field, outcome)

    def _verdict(self, function: FunctionInfo, at: At, subject: str, field: str, outcome: Outcome) -> Verdict:
        return Verdict("stamp", function, at, subject, outcome, field)


def gates_before_stamps(contract: Contract) -> Iterator[Verdict]:
    """A verdict for each class test on the way to an assignment to the field."""
    for function in _setting(contract):
        seen: set[At] = set()
        for gate, target, field in _gates(function, contract.fields):
            if gate.at not in seen:
                seen.add(gate.at)
                outcome: Outcome = Passed("it tests the object that is written to")
                if gate.subject != target:
                    outcome = Unproven(f"whom it keeps from having {target}.{field} set is not known")
                yield Verdict("gate", function, gate.at, function.facts.qualname, outcome, field)


def _gates(function: FunctionInfo, fields: FieldPair) -> Iterator[tuple[Gate, str, str]]:
    """The class tests before each stamp of a function, with the object and the field that it sets."""
    for stmt, gates in guarded(function.body, function.bindings):
        for _, target, field, _ in _places(stmt, function, fields):
            for gate in gates:
                yield gate, _text(target), field
    # Those too that stand between reading the address and writing it.
    for stamp in stamps_in(function, fields):
        for gate in stamp.gates:
            yield gate, stamp.output, stamp.field


def _setting(contract: Contract) -> list[FunctionInfo]:
    """The functions that name the field, each once."""
    named = [f for name in contract.fields.names for f in contract.project.mentions(name)]
    return list(dict.fromkeys(named))


def _places(stmt: Stmt, function: FunctionInfo, fields: FieldPair) -> Iterator[tuple[At, Expr, str, Expr]]:
    """The (place, object, field, value) of every stamp in a statement itself."""
    match stmt:
        case Assign(targets, value, _, at) if value is not None:
            written = {part for target in targets for part in parts(target)}
            for target, field, given in assigned_fields(stmt, function, fields):
                if Attr(target, field) in written:
                    yield at, target, field, given
        case Do(Other((_, *added)), Attr(target, field), at) if field in fields.names and at is not None:
            yield at, target, field, Other(tuple(added))
    for expr in own_expressions(stmt) if function.sets_by_name else ():
        for part in parts(expr):
            match part:
                case Call(
                    Name("setattr") | Attr(_, "__setattr__"), (target, Const(str(field)), given), _, at
                ):
                    if field in fields.names:
                        yield at, target, field, given


def _stamped(stamper: Stamper, site: CallSite) -> Outcome:
    """What a call of a stamper does to what it is given."""
    name = stamper.function.facts.qualname
    found = matched(stamper.function, site.call, bound=site.bound)
    if found is None or stamper.output not in found.by_name:
        return Unproven("the arguments come from a * or ** whose content is not known")
    output = _text(found.by_name[stamper.output])
    if stamper.origin is None:
        return Stamped(name, f"{name} sets the field on {output}")
    origin = found.by_name.get(stamper.origin)
    if is_absent(origin):
        return Unproven(f"{name} is not given what it copies the field from")
    return Stamped(name, f"{name} copies the field from {_text(origin)}")


def _outcome(value: Expr, function: FunctionInfo, fields: FieldPair) -> Outcome:
    """Where a value that is assigned comes from."""
    if isinstance(value, Const) and value.value is None:
        return Unproven("cleared")
    origin = _origin(value, function, fields, _HOPS)
    if origin is not None:
        return Passed(f"copied from `{origin}`")
    given = isinstance(value, Name) and value.id not in function.bindings
    if given and any(value == Name(param.name) for param in function.facts.params):
        return Passed(f"given as `{_text(value)}`")
    return Passed("an address of its own")


def _origin(value: Expr, function: FunctionInfo, fields: FieldPair, hops: int) -> str | None:
    """The object whose field a value is, or holds, read here or into a local before."""
    options: tuple[Expr, ...] = ()
    match value:
        case Attr(base, name) if name in fields.names:
            return _text(base)
        case Call(Name("getattr"), (base, Const(name), *_)) if name in fields.names:
            return _text(base)
        case Name(name):
            options = function.bindings.get(name, ())
        case Bool(_, options) | Seq(_, options) | Other(options) | Call(_, options):
            pass
        case Choice(_, body, orelse):
            options = (body, orelse)
        case Comp(_, items, loops):
            options = (*items, *[loop.iter for loop in loops])
        case Item(inner, _):
            options = (inner,)
    for option in options if hops else ():
        found = _origin(option, function, fields, hops - 1)
        if found is not None:
            return found
    return None


def _text(expr: Expr | None) -> str:
    """The source of an expression, without what is between brackets."""
    match expr:
        case Name(name):
            return name
        case Attr(value, name):
            return f"{_text(value)}.{name}"
        case Call(func):
            return f"{_text(func)}(...)"
        case Item(value):
            return f"{_text(value)}[...]"
    return "it"
