"""What a call does to the objects that it is given, and which object it makes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ipc_lint.contract.infer import is_absent
from ipc_lint.contract.nouns import Stamper
from ipc_lint.contract.stampers import LOOKS
from ipc_lint.facts import At, Attr, Call, Const, Expr, Name
from ipc_lint.facts.walk import dotted, last_name, parts
from ipc_lint.index.arguments import Matched, matched
from ipc_lint.index.types import ClassObject, External, Method, Type
from ipc_lint.judge.events import CallEvent
from ipc_lint.judge.values import NOTHING, Source, State, Status, Value, merged

if TYPE_CHECKING:
    from ipc_lint.judge.flow import Walker
    from ipc_lint.judge.results import Results

FILLS = frozenset("append add appendleft insert extend extendleft update setdefault".split())
# Calls that hand back (items of) what they are given.
_PASSES = frozenset(
    "list tuple set sorted reversed enumerate zip iter filter map next min max "
    "pop popleft get values items".split()
)
# Functions that copy their first argument, by where they come from; keywords replace its fields.
COPY_FUNCTIONS = frozenset(
    "copy.copy copy.deepcopy copy.replace dataclasses.replace msgspec.structs.replace "
    "attr.evolve attrs.evolve attr.assoc".split()
)
# Methods that copy their object, where its class defines none of that name itself.
COPY_METHODS = frozenset("model_copy _replace copy".split())
COPIES = frozenset(name.rpartition(".")[2] for name in COPY_FUNCTIONS) | COPY_METHODS


class Calls:
    """The effects of calls, for a walker."""

    def __init__(self, walker: Walker, results: Results) -> None:
        self._walker = walker
        self._contract = walker.contract
        self._results = results

    def made(
        self, call: Call, receiver: Value, args: list[Value], keywords: dict[str, Value], state: State
    ) -> Value:
        """Let a call take effect; its value."""
        around = frozenset(self._walker.around)
        event = CallEvent(call, args, keywords, receiver, dict(state.names), around)
        self._note(event, state)
        callee = self._contract.infer.callee(call, self._walker.scope(state))
        handed_back = self._effects(event, callee, state)
        made = self._construct(event, callee, state) | handed_back
        sources = _sources(call, args) | self.addresses(receiver) | self.addresses(event.given)
        return Value(self._walker.type_of(call, state), made, sources)

    def addresses(self, value: Value) -> frozenset[Source]:
        """Where a value comes from, as far as it comes from the field of something."""
        return frozenset(s for s in value.sources if s.name in self._contract.fields.names)

    def _note(self, event: CallEvent, state: State) -> None:
        """Join what this way gives the call with what others gave it."""
        at = event.call.at
        known = self._walker.flow.events.get(at)
        if known is not None:
            event.args = [a | b for a, b in zip(event.args, known.args, strict=True)]
            event.keywords = {k: v | known.keywords.get(k, NOTHING) for k, v in event.keywords.items()}
            event.receiver = event.receiver | known.receiver
        for made in event.given.made:
            status = state.status.get(made, Status.UNKNOWN)
            before = known.status.get(made, Status.SET) if known is not None else Status.SET
            event.status[made] = min(status, before)
        self._walker.flow.events[at] = event

    def _effects(self, event: CallEvent, callee: Type, state: State) -> frozenset[At]:
        """Stamps, escapes and excuses; the objects that the call hands back."""
        call, given = event.call, event.given
        name = last_name(call.func) or ""
        project = any(isinstance(atom, (Method, ClassObject)) for atom in callee)
        self._walker.lateness.called(event, state)
        stamped = self._stamped(callee, event).made
        self._walker.lateness.stamped(stamped, call.at, state)
        self._walker.set_field(stamped, call, state)
        if self.addresses(event.receiver):
            self._walker.flow.excuse(given.made, "the channel is chosen by the address")
        if any(isinstance(a, Method) and a.function in self._contract.overruled.addressed for a in callee):
            self._walker.flow.excuse(given.made, "the config says that it goes to an explicit address")
        self._with_origin(event, callee)
        self.beside([*event.args, *event.keywords.values()], (*call.args, *(w.value for w in call.keywords)))
        if name in ("setattr", "__setattr__") and len(call.args) == 3:
            self._setattr(event, state)
        elif name in COPIES and not project:
            return self._copied(event, state)
        elif name == "vars" and not project:
            self._walker.flow.excuse(given.made, "its attributes are reached by name")
        elif project or not (self._fills_local(call, given, state) or name in LOOKS):
            self._walker.keep(given, state)
            self._remember(call, given, state)
            self._excuse_outside(event, callee)
        if name in _PASSES or not (project or name in LOOKS):
            return given.made | event.receiver.made
        return event.receiver.made if self._sets_itself(callee) else frozenset()

    def _stamped(self, callee: Type, event: CallEvent) -> Value:
        """The objects that a called stamper sets the field on."""
        found = event.receiver if self._sets_itself(callee) else NOTHING
        for atom in callee:
            if isinstance(atom, Method):
                stamper = self._contract.stampers.get(atom.function)
                if stamper is not None:
                    arguments = matched(atom.function, event.call, bound=atom.receiver is not None)
                    if arguments is not None and _is_asked(stamper, arguments):
                        found = found | event.value(arguments.by_name[stamper.output])
        return found

    def _sets_itself(self, callee: Type) -> bool:
        return any(isinstance(a, Method) and a.function in self._contract.self_setters for a in callee)

    def _setattr(self, event: CallEvent, state: State) -> None:
        target, name, value = event.call.args
        if not isinstance(name, Const):
            self._walker.flow.excuse(event.args[0].made, "attributes are set by names that are not known")
        elif name.value in self._contract.fields.names:
            self._walker.stamp(target, value, event.call.at, state)

    def _copied(self, event: CallEvent, state: State) -> frozenset[At]:
        """A copy takes the place of what it was made from, with the fields that are given anew."""
        made = event.receiver.made or (event.args[0].made if event.args else frozenset())
        if "update" in event.keywords or "**" in event.keywords:
            self._walker.flow.excuse(made, "a copy is made with fields that are not known")
        if event.keywords.keys() & set(self._contract.fields.names):
            for at in made:
                state.status[at] = Status.SET
        return made

    def _with_origin(self, event: CallEvent, callee: Type) -> None:
        """An object that is given to its origin, or takes it in, may find its address there."""
        origins = self._walker.flow.origins
        receiver = event.call.func.value if isinstance(event.call.func, Attr) else None
        exprs = {*event.call.args, *(word.value for word in event.call.keywords)}
        given = frozenset(at for at in event.given.made if receiver in origins.get(at, frozenset()))
        taking = frozenset(at for at in event.receiver.made if origins.get(at, frozenset()) & exprs)
        is_container = last_name(event.call.func) in FILLS | _PASSES
        if not callee and event.receiver.made and not is_container:
            # A method that can't be seen is given something of the origin, or an address.
            inside = frozenset(part for expr in exprs for part in parts(expr))
            taking |= frozenset(at for at in event.receiver.made if origins.get(at, frozenset()) & inside)
            taking |= event.receiver.made if self.addresses(event.given) else frozenset()
        self._walker.flow.excuse(given | taking, "it is handed on together with its origin")

    def beside(self, values: Sequence[Value], items: Iterable[Expr]) -> None:
        """Whoever gets an object together with its address, or its origin, can route it."""
        holding = merged(value for value in values if value.made)
        if not holding.made:
            return
        names = self._contract.fields.names
        if any(source.name in names for value in values if not value.made for source in value.sources):
            self._walker.flow.excuse(holding.made, "the address goes beside it")

    def together(self, made: frozenset[At], items: Iterable[Expr]) -> None:
        """An object in one container with its origin."""
        exprs = set(items)
        origins = self._walker.flow.origins
        both = frozenset(at for at in made if origins.get(at, frozenset()) & exprs)
        self._walker.flow.excuse(both, "it is handed on together with its origin")

    def _excuse_outside(self, event: CallEvent, callee: Type) -> None:
        """Code that can't be seen may copy the field if it is given both objects."""
        call = event.call
        unseen = any(isinstance(a, External) and self._is_outside(a.name) for a in callee) or (
            not callee and isinstance(call.func, Name)
        )
        exprs = {*call.args, *(word.value for word in call.keywords)}
        if not unseen:
            # A method that can't be seen: of a copy and its own object, one is given to fill the other.
            function = self._walker.function
            exprs &= {Name(function.facts.params[0].name)} if not callee and function.takes_self else set()
        for at in event.given.made:
            if self._walker.flow.origins.get(at, frozenset()) & exprs:
                self._walker.flow.excuse(frozenset({at}), "it is handed on together with its origin")

    def _is_outside(self, name: str) -> bool:
        """Whether a dotted name leads out of the project (what is there and not scouted can't set it)."""
        layout = self._contract.project.layout
        top = name.partition(".")[0]
        return top != "builtins" and layout.resolve(self._walker.function.module.path, top, 0) is None

    def _remember(self, call: Call, given: Value, state: State) -> None:
        """What is put into a container that others see, too, can still be reached through it."""
        match call.func:
            case Attr(container, name) if name in FILLS and given.made:
                text = dotted(container)
                if text is not None:
                    state.names[text] = state.names.get(text, NOTHING) | Value(made=given.made)

    def _fills_local(self, call: Call, given: Value, state: State) -> bool:
        """A local list takes what is put into it; it leaves when the list does."""
        match call.func:
            case Attr(Name(container), name) if name in FILLS and container not in self._parameters():
                known = state.names.get(container)
                if known is not None:
                    state.names[container] = known | Value(made=given.made, sources=given.sources)
                    return True
        return False

    def _parameters(self) -> frozenset[str]:
        return frozenset(param.name for param in self._walker.function.facts.params)

    def _construct(self, event: CallEvent, callee: Type, state: State) -> frozenset[At]:
        """The object that a call makes, if it is a carrier or comes from a function that makes one."""
        call = event.call
        status = self._results.status_of(call, callee, event)
        if status is None:
            return frozenset()
        if call.at in state.escaped:
            # The loop comes round: the object of the last round stays as it is.
            self._walker.leave(Value(made=frozenset({call.at})), "kept", state)
            state.escaped.discard(call.at)
        names = self._contract.identities
        origins = {source.of for source in event.given.sources if source.name in names}
        if not self._results.makings.of(call, callee):
            # A function that builds it: whatever it is given may be what it copies from.
            origins |= {arg for arg in call.args if isinstance(arg, Name)}
        self._walker.flow.origins[call.at] = frozenset(origins)
        # What is built from an object without an address has none to lose.
        state.status[call.at] = Status.SET if origins & state.bare else status
        return frozenset({call.at})


def _is_asked(stamper: Stamper, arguments: Matched) -> bool:
    """Whether a call of a stamper gives it something to stamp, and the origin that it copies from."""
    given = arguments.by_name
    if stamper.output not in given:
        return False
    return stamper.origin is None or arguments.open or not is_absent(given.get(stamper.origin))


def _sources(call: Call, args: list[Value]) -> frozenset[Source]:
    """``getattr(x, "name")`` reads as ``x.name`` does; a conversion keeps where a value is from."""
    match call:
        case Call(Name("getattr"), (base, Const(str(name)), *_)):
            return frozenset({Source(base, name, args[0].type)})
        case Call(Name("str" | "list" | "tuple"), (_,)):
            return args[0].sources
    return frozenset()
