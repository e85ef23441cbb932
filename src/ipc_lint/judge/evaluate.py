"""The value of an expression on one way through a function, and the effects of the calls in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ipc_lint.contract.stampers import LOOKS
from ipc_lint.facts import (
    OPAQUE,
    At,
    Attr,
    Bind,
    Bool,
    Call,
    Choice,
    Comp,
    Const,
    Expr,
    Imported,
    Item,
    Lambda,
    Local,
    Map,
    Name,
    Seq,
    Star,
    Yield,
)
from ipc_lint.facts.walk import children, last_name, unpacked
from ipc_lint.index.arguments import matched
from ipc_lint.index.types import ClassObject, Method, Type
from ipc_lint.judge.events import CallEvent
from ipc_lint.judge.narrow import narrowed
from ipc_lint.judge.values import NOTHING, Source, State, Status, Value, merged

if TYPE_CHECKING:
    from ipc_lint.judge.flow import Walker
    from ipc_lint.judge.results import Results

_FILLS = frozenset("append add appendleft insert extend extendleft update".split())


class Evaluator:
    """Evaluates expressions for a walker."""

    def __init__(self, walker: Walker, results: Results) -> None:
        self._walker = walker
        self._results = results

    def value(self, expr: Expr, state: State) -> Value:
        """The value of an expression."""
        match expr:
            case Name(name):
                return state.names.get(name) or Value(self._walker.type_of(expr, state))
            case Attr(base, name):
                return self._read(expr, base, name, state)
            case Call():
                return self._call(expr, state)
            case Bind(name, inner):
                value = state.names[name] = self.value(inner, state)
                return value
            case Choice(test, body, orelse):
                self.value(test, state)
                return self.value(body, state) | self.value(orelse, state)
            case Bool(op, values):
                return self._bool(op, values, state)
            case Seq(_, items):
                inside = merged([self.value(item, state) for item in items])
                return Value(self._walker.type_of(expr, state), inside.made, inside.sources)
            case Map(keys, values):
                for key in keys:
                    if key is not None:
                        self.value(key, state)
                inside = merged([self.value(value, state) for value in values])
                return Value(self._walker.type_of(expr, state), inside.made)
            case Item(base, key):
                held = self.value(base, state)
                self.value(key, state)
                return Value(self._walker.type_of(expr, state), held.made)
            case Star(inner):
                return self.value(inner, state)
            case Comp():
                return self._comprehension(expr, state)
            case Yield(inner):
                self._walker.leave(self.value(inner, state), "returned", state)
                return NOTHING
            case Const() | Imported() | Local() | Lambda():
                return Value(self._walker.type_of(expr, state))
        inside = merged([self.value(child, state) for child in children(expr)])
        return Value(made=inside.made)

    def _read(self, expr: Expr, base: Expr, name: str, state: State) -> Value:
        of = self.value(base, state)
        type_ = self._walker.type_of(expr, state)
        return Value(type_, sources=frozenset({Source(base, name, of.type)}))

    def _bool(self, op: str, values: tuple[Expr, ...], state: State) -> Value:
        found = []
        here = state
        for value in values:
            found.append(self.value(value, here))
            here = here.copy() if here is state else here
            narrowed(self._walker, value, op == "and", here)
        for name, known in here.names.items():
            state.names.setdefault(name, known)
        return merged(found) if op == "or" else found[-1]

    def _comprehension(self, comp: Comp, state: State) -> Value:
        hidden = {}
        for loop in comp.loops:
            iterated = self.value(loop.iter, state)
            for name, part in unpacked(loop.target, Item(loop.iter, OPAQUE)):
                hidden[name] = state.names.get(name)
                self._walker.around.append(name)
                state.names[name] = Value(self._walker.type_of(part, state), iterated.made)
            for test in loop.tests:
                self.value(test, state)
        inside = merged([self.value(item, state) for item in comp.items])
        del self._walker.around[len(self._walker.around) - len(hidden) :]
        for name, before in hidden.items():
            if before is None:
                state.names.pop(name, None)
            else:
                state.names[name] = before
        return Value(self._walker.type_of(comp, state), inside.made, inside.sources)

    # ------------------------------------------------------------------- calls

    def _call(self, call: Call, state: State) -> Value:
        receiver = self.value(call.func.value, state) if isinstance(call.func, Attr) else NOTHING
        args = [self.value(arg, state) for arg in call.args]
        keywords: dict[str, Value] = {}
        for word in call.keywords:
            name = word.name or "**"
            keywords[name] = keywords.get(name, NOTHING) | self.value(word.value, state)
        event = CallEvent(call, args, keywords, receiver, dict(state.names), frozenset(self._walker.around))
        self._note(event, state)
        given = merged([*args, *keywords.values()])
        made = self._effects(event, given, state)
        type_ = self._walker.type_of(call, state)
        sources = self._sources(call, args)
        return Value(type_, made, sources)

    def _sources(self, call: Call, args: list[Value]) -> frozenset[Source]:
        """``getattr(x, "name")`` reads as ``x.name`` does; a conversion keeps where a value is from."""
        match call:
            case Call(Name("getattr"), (base, Const(str(name)), *_)):
                return frozenset({Source(base, name, args[0].type)})
            case Call(Name("str" | "list" | "tuple"), (_,)):
                return args[0].sources
        return frozenset()

    def _note(self, event: CallEvent, state: State) -> None:
        """Join what this way gives the call with what others gave it."""
        at = event.call.at
        known = self._walker.flow.events.get(at)
        if known is not None:
            event.args = [a | b for a, b in zip(event.args, known.args, strict=True)]
            event.keywords = {k: v | known.keywords.get(k, NOTHING) for k, v in event.keywords.items()}
            event.receiver = event.receiver | known.receiver
        given = merged([*event.args, *event.keywords.values()])
        for made in given.made:
            status = state.status.get(made, Status.UNKNOWN)
            before = known.status.get(made, Status.SET) if known is not None else Status.SET
            event.status[made] = min(status, before)
        self._walker.flow.events[at] = event

    def _effects(self, event: CallEvent, given: Value, state: State) -> frozenset[At]:
        """What a call does to objects made here; the objects that it makes itself."""
        call = event.call
        name = last_name(call.func)
        callee = self._walker.contract.infer.callee(call, self._walker.scope(state))
        stamped = self._stamped(callee, call, event)
        for at in stamped.made:
            state.status[at] = Status.SET
        if isinstance(call.func, Name) and name == "setattr" and len(call.args) == 3:
            self._setattr(event, state)
        elif not self._fills_local(call, given, state) and (name not in LOOKS or self._is_project(callee)):
            self._walker.keep(given, state)
        return self._made(call, callee, event, state)

    def _is_project(self, callee: Type) -> bool:
        return any(isinstance(atom, (Method, ClassObject)) for atom in callee)

    def _stamped(self, callee: Type, call: Call, event: CallEvent) -> Value:
        """The objects that a called stamper sets the field on."""
        found = NOTHING
        for atom in callee:
            if isinstance(atom, Method):
                stamper = self._walker.contract.stampers.get(atom.function)
                if stamper is not None:
                    arguments = matched(atom.function, call, bound=atom.receiver is not None)
                    arg = None if arguments is None else arguments.by_name.get(stamper.output)
                    if arg is not None:
                        found = found | event.value(arg)
        return found

    def _setattr(self, event: CallEvent, state: State) -> None:
        name = event.call.args[1]
        if isinstance(name, Const) and name.value in self._walker.contract.fields.names:
            self._walker.stamp(event.args[0], event.call.args[2], state)

    def _fills_local(self, call: Call, given: Value, state: State) -> bool:
        """A local list takes what is put into it; it leaves when the list does."""
        match call.func:
            case Attr(Name(container), name) if name in _FILLS and container not in self._parameters():
                known = state.names.get(container)
                if known is not None:
                    state.names[container] = known | Value(made=given.made, sources=given.sources)
                    return True
        return False

    def _parameters(self) -> frozenset[str]:
        return frozenset(param.name for param in self._walker.function.facts.params)

    def _made(self, call: Call, callee: Type, event: CallEvent, state: State) -> frozenset[At]:
        """The object that a call makes, if it is a carrier or comes from a function that makes one."""
        status = self._results.status_of(call, callee, event)
        if status is None:
            return frozenset()
        if call.at in state.escaped:
            # The loop comes round: the object of the last round stays as it is.
            self._walker.leave(Value(made=frozenset({call.at})), "kept", state)
            state.escaped.discard(call.at)
        state.status[call.at] = status
        self._walker.flow.made[call.at] = status
        return frozenset({call.at})
