"""Walks one function along all its ways and notes what each call is given.

The walk answers two questions: with which objects is a call made (their classes, where they come
from), and does an object that is made here have the field by the time it leaves. Loops are walked
twice, which is enough for facts that only grow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ipc_lint.contract.stampers import assigned_fields
from ipc_lint.facts import (
    OPAQUE,
    Assign,
    At,
    Attr,
    Body,
    Call,
    Const,
    Default,
    Do,
    Expr,
    For,
    Handler,
    If,
    Item,
    Jump,
    Match,
    Name,
    Raise,
    Return,
    Seq,
    Star,
    Stmt,
    Try,
    While,
    With,
)
from ipc_lint.facts.walk import dotted, unpacked
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.scope import Scope
from ipc_lint.index.types import Nothing, Type
from ipc_lint.judge.evaluate import Evaluator
from ipc_lint.judge.events import Flow, Leave
from ipc_lint.judge.guards import settle
from ipc_lint.judge.lateness import Lateness
from ipc_lint.judge.narrow import narrowed
from ipc_lint.judge.values import NOTHING, State, Status, Value, join

if TYPE_CHECKING:
    from ipc_lint.contract.infer import Contract
    from ipc_lint.judge.results import Results


def parameter(place: int) -> At:
    """The token of a parameter's object: it is no place in the source."""
    return At(0, place, 0, 0)


class Walker:
    """One walk over one function."""

    def __init__(self, contract: Contract, function: FunctionInfo, results: Results) -> None:
        self.contract = contract
        self.function = function
        self.flow = Flow()
        self.evaluator = Evaluator(self, results)
        self.lateness = Lateness(self, results.keeping)
        self.around: list[str] = []
        self._swept: set[At] = set()  # set in a loop over what holds them
        self._finals: list[Body] = []
        self._breaks: list[list[State]] = []
        self._continues: list[list[State]] = []

    def walk(self) -> Flow:
        """Walk the whole function."""
        state = State()
        scope = Scope(self.function)
        for place, param in enumerate(self.function.facts.params):
            token = parameter(place)
            state.status[token] = Status.UNKNOWN
            type_ = self.contract.infer.name(param.name, scope)
            state.names[param.name] = Value(type_, frozenset({token}))
        self._finish(self._block(self.function.body, state))
        return self.flow

    def value(self, expr: Expr, state: State) -> Value:
        """The value of an expression, with the effects of the calls in it."""
        return self.evaluator.value(expr, state)

    def scope(self, state: State) -> Scope:
        """The function with what is known on this way."""
        return Scope(self.function, state.types())

    def type_of(self, expr: Expr, state: State) -> Type:
        """The type of an expression with what is known on this way."""
        return self.contract.infer.type_of(expr, self.scope(state))

    def has_field(self, expr: Expr, state: State) -> bool:
        """Whether an expression may be an object with the field, for all that is known."""
        type_ = self.type_of(expr, state)
        known = [atom for atom in type_ if not isinstance(atom, Nothing)]
        return not known or bool(self.contract.carriers_of(type_))

    # -------------------------------------------------------------- statements

    def _block(self, body: Body, state: State | None) -> State | None:
        for stmt in body:
            if state is None:
                return None
            state = self._statement(stmt, state)
        return state

    def _statement(self, stmt: Stmt, state: State) -> State | None:
        match stmt:
            case Assign():
                self._assign(stmt, state)
            case Default():
                self._default(stmt, state)
            case Do(value):
                self.value(value, state)
            case Return(value):
                self._return(NOTHING if value is None else self.value(value, state), state)
                return None
            case Raise(value):
                self.value(value, state)
                return None
            case Jump(kind):
                stack = self._breaks if kind == "break" else self._continues
                if stack:
                    stack[-1].append(state)
                return None
            case If(test, body, orelse):
                return self._if(test, body, orelse, state)
            case For(target, iter, body, orelse):
                return self._for(target, iter, self.value(iter, state), body, orelse, state)
            case While(test, body, orelse):
                self.value(test, state)
                return self._while(test, body, orelse, state)
            case With(items, body):
                for manager, name in items:
                    entered = self.value(manager, state)
                    if name is not None:
                        self.bind(name, manager, entered, state)
                return self._block(body, state)
            case Try():
                return self._try(stmt, state)
            case Match():
                return self._match(stmt, state)
        return state

    def _assign(self, stmt: Assign, state: State) -> None:
        if stmt.value is None:
            return
        value = self.value(stmt.value, state)
        for target, _, given in assigned_fields(stmt, self.function, self.contract.fields):
            self.stamp(target, given, stmt.at, state)
        if stmt.annotation is not None and not value.type:
            said = self.contract.infer.said(stmt.annotation, Scope(self.function))
            value = Value(said, value.made, value.sources)
        for target in stmt.targets:
            self.bind(target, stmt.value, value, state)

    def _default(self, stmt: Default, state: State) -> None:
        """A function that is defined here holds its default values, and may set their field."""
        value = self.value(stmt.value, state)
        function = self.function.module.functions.get(stmt.function)
        stamper = None if function is None else self.contract.stampers.get(function)
        if stamper is not None and stamper.output == stmt.param:
            self.flow.excuse(value.made, "the function that has it as a default sets the field")
        self.keep(value, state)

    def stamp(self, target: Expr, given: Expr, at: At, state: State) -> None:
        """The field of some objects is set (or, with None, taken away)."""
        cleared = isinstance(given, Const) and given.value is None
        made = self.value(target, state).made
        if not cleared:
            self.lateness.stamped(made, at, state)
        for token in made:
            state.status[token] = Status.UNSET if cleared else Status.SET
            self.flow.stamped.add(token)
        if isinstance(target, Item) or (isinstance(target, Name) and target.id in self.around):
            self._swept |= made

    def set_field(self, made: frozenset[At], call: Call, state: State) -> None:
        """A call sets the field of some objects; in a loop over what holds them, of every one."""
        for at in made:
            state.status[at] = Status.SET
            self.flow.stamped.add(at)
        given = (*call.args, *(word.value for word in call.keywords))
        if any(isinstance(arg, Name) and arg.id in self.around for arg in given):
            self._swept |= made

    def bind(self, target: Expr, expr: Expr, value: Value, state: State) -> None:
        """``target = expr`` with the value already known."""
        match target:
            case Name(name):
                state.names[name] = value
            case Seq(_, targets):
                self._unpack(targets, target, expr, value, state)
            case Attr(_, name) if name in self.contract.fields.names:
                pass  # a stamp
            case Item(Name(name), key) if name in state.names:
                self.value(key, state)
                state.names[name] = state.names[name] | Value(made=value.made)
                if any(param.name == name for param in self.function.facts.params):
                    self.keep(value, state)
            case Attr(base, _) | Item(base, _):
                self.value(base, state)
                self._remember(target, value, state)
                self.keep(value, state)
            case _:
                self.keep(value, state)

    def _remember(self, target: Expr, value: Value, state: State) -> None:
        """What is stored in an attribute, or in what it holds, can be reached by it."""
        name = dotted(target.value if isinstance(target, Item) else target)
        if name is not None and value.made:
            known = state.names.get(name, NOTHING) if isinstance(target, Item) else NOTHING
            state.names[name] = Value(known.type, known.made | value.made)

    def _unpack(
        self, targets: tuple[Expr, ...], target: Expr, expr: Expr, value: Value, state: State
    ) -> None:
        starred = any(isinstance(part, Star) for part in targets)
        if isinstance(expr, Seq) and len(expr.items) == len(targets) and not starred:
            values = [self.value(item, state) for item in expr.items]
            for part, item, known in zip(targets, expr.items, values, strict=True):
                self.bind(part, item, known, state)
            return
        types = {name: self.type_of(part, state) for name, part in unpacked(target, expr)}
        for name, type_ in types.items():
            state.names[name] = Value(type_, value.made)
        if any(not isinstance(part, (Name, Star, Seq)) for part in targets):
            self.keep(value, state)

    def keep(self, value: Value, state: State) -> None:
        """Objects get to where others may see them; their field may still be set afterwards."""
        state.escaped |= value.made

    def leave(self, value: Value, how: str, state: State) -> None:
        """Objects leave for good."""
        for at in value.made:
            self.flow.leaves.setdefault(at, []).append(Leave(how, state.status.get(at, Status.UNKNOWN)))

    def _return(self, value: Value, state: State) -> None:
        """A way leads out of the function, through the final blocks around it."""
        pending = self._finals
        while self._finals:
            final, self._finals = self._finals[-1], self._finals[:-1]
            self._block(final, state)
        self._finals = pending
        self.leave(value, "returned", state)
        self.flow.returned = self.flow.returned | value
        self._finish(state)

    def _finish(self, state: State | None) -> None:
        """A way ends: what others may see by now stays as it is."""
        if state is not None:
            self.leave(Value(made=frozenset(state.escaped)), "kept", state)

    # ------------------------------------------------------------------ blocks

    def _if(self, test: Expr, body: Body, orelse: Body, state: State) -> State | None:
        self.value(test, state)
        yes, no = state.copy(), state
        for holds, way in ((True, yes), (False, no)):
            narrowed(self, test, holds, way)
            settle(self, test, holds, way)
        return join([self._block(body, yes), self._block(orelse, no)])

    def _for(
        self, target: Expr, iterable: Expr, iterated: Value, body: Body, orelse: Body, state: State
    ) -> State | None:
        names = [name for name, _ in unpacked(target, OPAQUE)]
        given = self.lateness.taken(iterated, state)
        self.around += names
        end: State | None = None
        start: State | None = state
        self._breaks.append([])
        for _ in range(self._rounds()):
            inner = start.copy() if start is not None else State()
            for name, part in unpacked(target, Item(iterable, OPAQUE)):
                inner.names[name] = Value(self.type_of(part, inner), given)
            end, start = self._round(body, inner, start)
        del self.around[len(self.around) - len(names) :]
        if start is not None:
            # A loop over what holds some objects reaches every one of them.
            for at in self._swept & start.status.keys():
                start.status[at] = Status.SET
        self._swept.clear()
        after = self._block(orelse, start) if start is not None else None
        if isinstance(iterable, Seq) and iterable.items:
            after = end if end is not None and not orelse else after  # runs at least once
        return join([after, *self._breaks.pop()])

    def _while(self, test: Expr, body: Body, orelse: Body, state: State) -> State | None:
        start: State | None = state
        self._breaks.append([])
        for _ in range(self._rounds()):
            inner = start.copy() if start is not None else State()
            narrowed(self, test, True, inner)
            settle(self, test, True, inner)
            _, start = self._round(body, inner, start)
        after = self._block(orelse, start) if start is not None else None
        endless = isinstance(test, Const) and bool(test.value)
        return join([None if endless else after, *self._breaks.pop()])

    def _rounds(self) -> int:
        """Two rounds show what one leaves for the next; deep inside, that would double each time."""
        return 2 if len(self._breaks) <= 4 else 1

    def _round(self, body: Body, inner: State, start: State | None) -> tuple[State | None, State | None]:
        """One round of a loop: the state at its end, and the one that the next begins with."""
        self._continues.append([])
        end = self._block(body, inner)
        end = join([end, *self._continues.pop()])
        return end, join([start, end])

    def _try(self, stmt: Try, state: State) -> State | None:
        before = state.copy()
        if stmt.final:
            self._finals = [*self._finals, stmt.final]
        after = self._block(stmt.body, state)
        # The body may break off anywhere: what was known before it is all that is sure.
        broken = join([before, after]) or before
        handled = [self._block(h.body, self._caught(h, broken, after)) for h in stmt.handlers]
        done = self._block(stmt.orelse, after) if after is not None else None
        out = join([done, *handled])
        if not stmt.final:
            return out
        self._finals = self._finals[:-1]
        self._raised(stmt.final, broken)
        return self._block(stmt.final, out) if out is not None else None

    def _caught(self, handler: Handler, broken: State, after: State | None) -> State:
        """The state in a handler; a missing attribute means that there was no field to copy."""
        state = broken.copy()
        if after is not None and handler.type is not None and dotted(handler.type) == "AttributeError":
            for at, status in after.status.items():
                if status == Status.SET:
                    state.status[at] = status
        return state

    def _raised(self, final: Body, broken: State) -> None:
        """The final block after an exception: what leaves in there leaves as it is then."""
        state = broken.copy()
        state.escaped.clear()
        self._finish(self._block(final, state))

    def _match(self, stmt: Match, state: State) -> State | None:
        subject = self.value(stmt.subject, state)
        ends: list[State | None] = []
        rest = state
        exhaustive = False
        for case in stmt.cases:
            inner = rest.copy()
            if isinstance(stmt.subject, Name) and case.classes:
                test = Call(Name("isinstance"), (stmt.subject, Seq("tuple", case.classes)), (), case.at)
                narrowed(self, test, True, inner)
                settle(self, test, True, inner)
                if case.guard is None and case.pure:
                    narrowed(self, test, False, rest)
                    settle(self, test, False, rest)
            for name, attribute in case.binds:
                known = inner.names.get(stmt.subject.id) if isinstance(stmt.subject, Name) else None
                whole = (known or subject) if case.classes or case.catches_all else NOTHING
                read = None if attribute is None else Attr(stmt.subject, attribute)
                inner.names[name] = whole if read is None else self.value(read, inner)
            if case.guard is not None:
                self.value(case.guard, inner)
                narrowed(self, case.guard, True, inner)
                settle(self, case.guard, True, inner)
            ends.append(self._block(case.body, inner))
            exhaustive = exhaustive or (case.catches_all and case.guard is None)
        return join([*ends, None if exhaustive else rest])
