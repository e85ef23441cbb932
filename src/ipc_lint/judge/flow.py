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
    Attr,
    Body,
    Call,
    Compare,
    Const,
    Do,
    Expr,
    For,
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
from ipc_lint.facts.walk import parts, unpacked
from ipc_lint.index import declared
from ipc_lint.index.project import FunctionInfo
from ipc_lint.index.scope import Scope
from ipc_lint.index.types import Type
from ipc_lint.judge.evaluate import Evaluator
from ipc_lint.judge.events import Flow, Leave
from ipc_lint.judge.narrow import narrowed
from ipc_lint.judge.values import NOTHING, State, Status, Value, join

if TYPE_CHECKING:
    from ipc_lint.contract.infer import Contract
    from ipc_lint.judge.results import Results


class Walker:
    """One walk over one function."""

    def __init__(self, contract: Contract, function: FunctionInfo, results: Results) -> None:
        self.contract = contract
        self.function = function
        self.flow = Flow()
        self.evaluator = Evaluator(self, results)
        self.around: list[str] = []
        self._breaks: list[list[State]] = []
        self._continues: list[list[State]] = []

    def walk(self) -> Flow:
        """Walk the whole function."""
        state = State()
        scope = Scope(self.function)
        for param in self.function.facts.params:
            state.names[param.name] = Value(self.contract.infer.name(param.name, scope))
        self._finish(self._block(self.function.body, state))
        return self.flow

    def value(self, expr: Expr, state: State) -> Value:
        """The value of an expression, with the effects of the calls in it."""
        return self.evaluator.value(expr, state)

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
            case Do(value):
                self.value(value, state)
            case Return(value):
                if value is not None:
                    self._return(self.value(value, state), state)
                self._finish(state)
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
                iterated = self.value(iter, state)
                return self._loop(body, orelse, state, (target, iter, iterated))
            case While(test, body, orelse):
                self.value(test, state)
                return self._loop(body, orelse, state, None, test)
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
        for target, _, given in assigned_fields(stmt, self.contract.fields):
            self.stamp(self.value(target, state), given, state)
        if stmt.annotation is not None and not value.type:
            said = declared.instance(self.contract.infer, stmt.annotation, Scope(self.function))
            value = Value(said, value.made, value.sources)
        for target in stmt.targets:
            self.bind(target, stmt.value, value, state)

    def stamp(self, target: Value, given: Expr, state: State) -> None:
        """The field of some objects is set (or, with None, taken away)."""
        cleared = isinstance(given, Const) and given.value is None
        for at in target.made:
            state.status[at] = Status.UNSET if cleared else Status.SET

    def bind(self, target: Expr, expr: Expr, value: Value, state: State) -> None:
        """``target = expr`` with the value already known."""
        match target:
            case Name(name):
                state.names[name] = value
            case Seq():
                exact = isinstance(expr, Seq)
                for name, part in unpacked(target, expr):
                    if exact and isinstance(part, Name) and part.id in state.names:
                        state.names[name] = state.names[part.id]
                    else:
                        type_ = self.type_of(part, state)
                        state.names[name] = Value(type_, value.made)
            case Attr(_, name):
                # What is put into an object that is made here leaves with it, else it leaves now.
                if name not in self.contract.fields.names:
                    self.keep(value, state)
            case Item(Name(name), _) if name in state.names:
                state.names[name] = state.names[name] | Value(made=value.made)
                self.keep(value, state)
            case _:
                self.keep(value, state)

    def scope(self, state: State) -> Scope:
        """The function with what is known on this way."""
        return Scope(self.function, state.types())

    def type_of(self, expr: Expr, state: State) -> Type:
        """The type of an expression with what is known on this way."""
        return self.contract.infer.type_of(expr, self.scope(state))

    def keep(self, value: Value, state: State) -> None:
        """Objects get to where others may see them; their field may still be set afterwards."""
        state.escaped |= value.made

    def leave(self, value: Value, how: str, state: State) -> None:
        """Objects leave for good."""
        for at in value.made:
            self.flow.leaves.setdefault(at, []).append(Leave(how, state.status.get(at, Status.UNKNOWN)))

    def _return(self, value: Value, state: State) -> None:
        self.leave(value, "returned", state)
        self.flow.returned = self.flow.returned | value

    def _finish(self, state: State | None) -> None:
        """A way ends: what others may see by now stays as it is."""
        if state is not None:
            self.leave(Value(made=frozenset(state.escaped)), "kept", state)

    # ------------------------------------------------------------------ blocks

    def _if(self, test: Expr, body: Body, orelse: Body, state: State) -> State | None:
        self.value(test, state)
        yes, no = state.copy(), state
        narrowed(self, test, True, yes)
        narrowed(self, test, False, no)
        before = dict(no.status)
        then, other = self._block(body, yes), self._block(orelse, no)
        if then is not None and other is not None and asks_for_field(test, self.contract.fields.names):
            # `if x.field is not None: y.field = x.field` copies whatever there is to copy.
            for at, status in then.status.items():
                if status == Status.SET and before.get(at) == Status.UNSET:
                    other.status[at] = status
        return join([then, other])

    def _loop(
        self,
        body: Body,
        orelse: Body,
        state: State,
        over: tuple[Expr, Expr, Value] | None,
        test: Expr | None = None,
    ) -> State | None:
        start: State | None = state
        depth = len(self.around)
        if over is not None:
            self.around += [name for name, _ in unpacked(over[0], OPAQUE)]
        self._breaks.append([])
        for _ in range(2):
            self._continues.append([])
            inner = start.copy() if start is not None else State()
            if over is not None:
                target, iterable, iterated = over
                self._bind_item(target, iterable, iterated, inner)
            elif test is not None:
                narrowed(self, test, True, inner)
            end = self._block(body, inner)
            start = join([start, end, *self._continues.pop()])
            # Whatever the first round left escaped and unset is judged before it is made anew.
            if end is not None:
                self._finish(end)
        del self.around[depth:]
        after = self._block(orelse, start) if start is not None else None
        endless = isinstance(test, Const) and bool(test.value)
        return join([None if endless else after, *self._breaks.pop()])

    def _bind_item(self, target: Expr, iterable: Expr, iterated: Value, state: State) -> None:
        for name, part in unpacked(target, Item(iterable, OPAQUE)):
            state.names[name] = Value(self.type_of(part, state), iterated.made)

    def _try(self, stmt: Try, state: State) -> State | None:
        before = state.copy()
        after = self._block(stmt.body, state)
        # The body may break off anywhere: what was known before it is all that is sure.
        broken = join([before, after])
        handled = []
        for handler in stmt.handlers:
            if broken is not None:
                handled.append(self._block(handler.body, broken.copy()))
        done = self._block(stmt.orelse, after) if after is not None else None
        out = join([done, *handled])
        if not stmt.final:
            return out
        if out is None:
            # Every way has left already, through the final block.
            self._block(stmt.final, before)
            return None
        return self._block(stmt.final, out)

    def _match(self, stmt: Match, state: State) -> State | None:
        subject = self.value(stmt.subject, state)
        ends: list[State | None] = []
        rest = state
        exhaustive = False
        for case in stmt.cases:
            inner = rest.copy()
            if isinstance(stmt.subject, Name) and case.classes:
                at = case.at
                test = Call(Name("isinstance"), (stmt.subject, Seq("tuple", case.classes)), (), at)
                narrowed(self, test, True, inner)
                if case.guard is None:
                    narrowed(self, test, False, rest)
            for name in case.binds:
                known = inner.names.get(stmt.subject.id) if isinstance(stmt.subject, Name) else None
                inner.names[name] = (known or subject) if case.classes or case.catches_all else NOTHING
            if case.guard is not None:
                self.value(case.guard, inner)
                narrowed(self, case.guard, True, inner)
            ends.append(self._block(case.body, inner))
            exhaustive = exhaustive or (case.catches_all and case.guard is None)
        return join([*ends, None if exhaustive else rest])


def asks_for_field(test: Expr, names: tuple[str, str]) -> bool:
    """Whether a test only asks whether there is a field to copy."""
    for part in parts(test):
        match part:
            case Attr(_, name) if name in names:
                return True
            case Call(Name("hasattr" | "getattr"), (_, Const(str(name)), *_)) if name in names:
                return True
            case Compare() | Star():
                continue
    return False
