"""The value of an expression on one way through a function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from ipc_lint.facts import (
    OPAQUE,
    Attr,
    Bind,
    Bool,
    Call,
    Choice,
    Comp,
    Compare,
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
from ipc_lint.facts.walk import children, dotted, unpacked
from ipc_lint.judge.calls import Calls
from ipc_lint.judge.guards import settle
from ipc_lint.judge.narrow import narrowed
from ipc_lint.judge.values import NOTHING, Source, State, Value, merged

if TYPE_CHECKING:
    from ipc_lint.judge.flow import Walker
    from ipc_lint.judge.results import Results


class Evaluator:
    """Evaluates expressions for a walker."""

    def __init__(self, walker: Walker, results: Results) -> None:
        self._walker = walker
        self._calls = Calls(walker, results)

    def known(self, expr: Expr, state: State) -> Value:
        """The value of a plain name or attribute, without effects."""
        match expr:
            case Name(name):
                return state.names.get(name, NOTHING)
            case Attr():
                return self.value(expr, state)
        return NOTHING

    def value(self, expr: Expr, state: State) -> Value:
        """The value of an expression; the calls in it take effect."""
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
                return self._choice(test, body, orelse, state)
            case Bool(op, values):
                return self._bool(op, values, state)
            case Seq(_, items):
                inside = self._together([self.value(item, state) for item in items], items)
                return Value(self._walker.type_of(expr, state), inside.made, inside.sources)
            case Map(keys, values):
                for key in keys:
                    if key is not None:
                        self.value(key, state)
                inside = self._together([self.value(value, state) for value in values], values)
                return Value(self._walker.type_of(expr, state), inside.made)
            case Item(base, key):
                held, by = self.value(base, state), self.value(key, state)
                made = self._walker.lateness.taken(held, state)
                # What lies under an address leads to where the address does.
                parts = frozenset(replace(source, part=True) for source in held.sources)
                sources = self._calls.addresses(by) | parts
                return Value(self._walker.type_of(expr, state), made, sources)
            case Star(inner):
                return self.value(inner, state)
            case Comp():
                return self._comprehension(expr, state)
            case Yield(inner):
                given = self.value(inner, state)
                if self._walker.function.decorators & {"contextmanager", "asynccontextmanager"}:
                    self._walker.keep(given, state)  # it comes back when the block ends
                else:
                    self._walker.leave(given, "returned", state)
                return NOTHING
            case Const() | Imported() | Local():
                return Value(self._walker.type_of(expr, state))
        inside = merged([self.value(child, state) for child in children(expr)])
        if isinstance(expr, Lambda):
            self._walker.keep(inside, state)  # its default values, until somebody calls it
        # What is compared is looked at and let go.
        return NOTHING if isinstance(expr, (Compare, Lambda)) else Value(made=inside.made)

    def _together(self, values: list[Value], items: tuple[Expr, ...]) -> Value:
        found = merged(values)
        self._calls.beside(values, items)
        self._calls.together(found.made, items)
        return found

    def _read(self, expr: Expr, base: Expr, name: str, state: State) -> Value:
        of = self.value(base, state)
        self._walker.lateness.read(of, name, state)
        if name == "__dict__":
            self._walker.flow.excuse(of.made, "its attributes are reached by name")
        type_ = self._walker.type_of(expr, state)
        stored = state.names.get(dotted(expr) or "", NOTHING).made
        return Value(type_, stored, frozenset({Source(base, name, of.type)}))

    def _choice(self, test: Expr, body: Expr, orelse: Expr, state: State) -> Value:
        self.value(test, state)
        found = []
        for holds, expr in ((True, body), (False, orelse)):
            way = state.copy()
            narrowed(self._walker, test, holds, way)
            settle(self._walker, test, holds, way)
            found.append(self.value(expr, way))
            state.escaped |= way.escaped
            for at, status in way.status.items():
                state.status.setdefault(at, status)
        return merged(found)

    def _bool(self, op: str, values: tuple[Expr, ...], state: State) -> Value:
        found = []
        here = state
        for value in values:
            found.append(self.value(value, here))
            here = here.copy() if here is state else here
            narrowed(self._walker, value, op == "and", here)
        for name, known in here.names.items():
            state.names.setdefault(name, known)
        for at, status in here.status.items():
            state.status.setdefault(at, status)
        state.escaped |= here.escaped
        return merged(found) if op == "or" else found[-1]

    def _comprehension(self, comp: Comp, state: State) -> Value:
        hidden: dict[str, Value | None] = {}
        for loop in comp.loops:
            iterated = self.value(loop.iter, state)
            taken = self._walker.lateness.taken(iterated, state)
            for name, part in unpacked(loop.target, Item(loop.iter, OPAQUE)):
                hidden[name] = state.names.get(name)
                self._walker.around.append(name)
                state.names[name] = Value(self._walker.type_of(part, state), taken)
            for test in loop.tests:
                self.value(test, state)
                narrowed(self._walker, test, True, state)
        inside = self._together([self.value(item, state) for item in comp.items], comp.items)
        del self._walker.around[len(self._walker.around) - len(hidden) :]
        for name, before in hidden.items():
            if before is None:
                state.names.pop(name, None)
            else:
                state.names[name] = before
        return Value(self._walker.type_of(comp, state), inside.made, inside.sources)

    def _call(self, call: Call, state: State) -> Value:
        receiver = self.value(call.func.value, state) if isinstance(call.func, Attr) else NOTHING
        args = [self.value(arg, state) for arg in call.args]
        keywords: dict[str, Value] = {}
        for word in call.keywords:
            name = word.name or "**"
            keywords[name] = keywords.get(name, NOTHING) | self.value(word.value, state)
        return self._calls.made(call, receiver, args, keywords, state)
