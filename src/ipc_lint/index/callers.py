"""Who calls a function, and what they pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ipc_lint.facts import Assign, Attr, Call, Expr, Local, Name, Param
from ipc_lint.facts.walk import last_name, own_expressions, parts, statements
from ipc_lint.index.arguments import match_params, matched
from ipc_lint.index.classes import ClassInfo
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.scope import Scope
from ipc_lint.index.tables import Tables
from ipc_lint.index.types import (
    UNKNOWN,
    ClassObject,
    Instance,
    Method,
    Signature,
    Type,
    in_order,
    union,
)

if TYPE_CHECKING:
    from ipc_lint.index.infer import Inference


# A name that so many functions use says nothing by itself, and asking each of them takes long.
_TOO_MANY = 60


class CallSite(NamedTuple):
    """A call of a known function: where it stands, and whether its receiver takes a parameter."""

    caller: FunctionInfo
    call: Call
    bound: bool


class Callers:
    """Finds call sites by the name of the function, then asks what is really called."""

    def __init__(self, infer: Inference) -> None:
        self._infer = infer
        self._tables = Tables(infer)
        self._of: dict[FunctionInfo, tuple[CallSite, ...]] = {}
        self._depth = 0

    def of(self, function: FunctionInfo) -> tuple[CallSite, ...]:
        """Every call of a function that can be resolved to it."""
        known = self._of.get(function)
        if known is None:
            self._of[function] = ()  # a question that leads back to itself
            known = self._of[function] = tuple(self._find(function))
        return known

    def _find(self, function: FunctionInfo) -> Iterator[CallSite]:
        if function.name == "__init__" and function.owner is not None:
            yield from self._constructions(function.owner, function)
            return
        named = [(caller, function.name) for caller in self._infer.project.mentions(function.name)]
        for caller, name in dict.fromkeys([*named, *self._other_names(function)]):
            for call in caller.calls_named(name):
                found = self._infer.callee(call, Scope(caller))
                mine = [atom for atom in found if isinstance(atom, Method) and atom.function is function]
                if mine:
                    yield CallSite(caller, call, any(atom.receiver is not None for atom in mine))

    def _constructions(self, owner: ClassInfo, init: FunctionInfo) -> Iterator[CallSite]:
        """The calls of a class, and of those that inherit its constructor."""
        for cls in owner.family:
            if cls.derives(owner) and cls.method("__init__") is init:
                for caller in self._infer.project.mentions(cls.short):
                    for call in caller.calls_named(cls.short):
                        if ClassObject(cls) in self._infer.callee(call, Scope(caller)):
                            yield CallSite(caller, call, True)

    def _other_names(self, function: FunctionInfo) -> Iterator[tuple[FunctionInfo, str]]:
        """The functions that may call a function by another name: a variable, a parameter, an attribute."""
        if len(self._infer.project.mentions(function.name)) > _TOO_MANY:
            return
        for user in self._infer.project.handing_on(function.name):
            scope = Scope(user)
            for stmt in statements(user.body):
                if isinstance(stmt, Assign) and self._is(stmt.value, function, scope):
                    yield from self._users_of(stmt.targets, user)
            for call in all_calls(user):
                for arg in (*call.args, *(word.value for word in call.keywords)):
                    if last_name(arg) == function.name and self._is(arg, function, scope):
                        for target, param in self._parameters(call, arg, scope):
                            yield target, param.name
                            yield from self._users_of_parameter(target, param.name)

    def _users_of(self, targets: Iterable[Expr], user: FunctionInfo) -> Iterator[tuple[FunctionInfo, str]]:
        """Who may call what is assigned to some targets, and by which name."""
        for target in targets:
            match target:
                case Name(name):
                    yield user, name
                case Attr(_, name):
                    yield from ((other, name) for other in self._infer.project.mentions(name))

    def _users_of_parameter(self, target: FunctionInfo, name: str) -> Iterator[tuple[FunctionInfo, str]]:
        """Who may call what a parameter holds, where it is kept in an attribute."""
        if target.name != "__init__" or target.facts.owner is None:
            return
        for stmt in statements(target.body):
            if isinstance(stmt, Assign) and stmt.value == Name(name):
                yield from self._users_of(stmt.targets, target)

    def by_name(self, function: FunctionInfo) -> Iterator[CallSite]:
        """Calls of a method on something that elsewhere, under the same name, is of its class.

        A class of another package is no bar: a wrapper is often annotated as what it wraps.
        """
        for caller in self._infer.project.mentions(function.name):
            if not self._infer.project.same_package(caller.module, function.module):
                continue
            for call in caller.calls_named(function.name):
                if (
                    isinstance(call.func, Attr)
                    and not self._infer.callee(call, Scope(caller))
                    and self._only_fit(function, call)
                    and self._is_elsewhere(call.func.value, function, caller)
                ):
                    yield CallSite(caller, call, True)

    def _only_fit(self, function: FunctionInfo, call: Call) -> bool:
        """Whether a call fits a method and no other of its name."""
        group = self._infer.project.methods.get(function.name, ())
        return [m for m in group if matched(m, call, bound=True) is not None] == [function]

    def _is_elsewhere(self, receiver: Expr, function: FunctionInfo, caller: FunctionInfo) -> bool:
        """Whether a receiver may be taken for an object of the method's class.

        It may if an attribute of its name is one elsewhere; or if nothing at all is known of it and
        the method's name is one of a kind (a single word such as `send` is what sockets have, too).
        """
        if function.owner is None:
            return False
        if isinstance(receiver, Attr):
            named = self._infer.members.named(receiver.name, caller.module)
            if any(isinstance(a, Instance) and a.cls.derives(function.owner) for a in named):
                return True
        return "_" in function.name.strip("_") and not self._infer.type_of(receiver, Scope(caller))

    def passed(self, function: FunctionInfo, param: Param) -> Type:
        """What callers pass for a parameter; one round only: their own callers are not asked."""
        owner = function.owner
        name = owner.short if owner is not None and function.name == "__init__" else function.name
        if self._depth >= 2 or len(self._infer.project.mentions(name)) > _TOO_MANY:
            return UNKNOWN
        self._depth += 1
        try:
            handled = self._handled(function, param)
            return union([*self._direct(function, param), *self._handed(function, param), *handled])
        finally:
            self._depth -= 1

    def _direct(self, function: FunctionInfo, param: Param) -> Iterator[Type]:
        for site in self.of(function):
            found = matched(function, site.call, bound=site.bound)
            arg = None if found is None else found.by_name.get(param.name)
            if arg is not None:
                yield self._infer.type_of(arg, Scope(site.caller))

    def _handed(self, function: FunctionInfo, param: Param) -> Iterator[Type]:
        """Given where a ``Callable[[A, B], R]`` is expected, a method's parameters are A and B."""
        params = function.own_params
        place = params.index(param) if param in params else -1
        for expected in self.expected(function):
            if expected.params is not None and 0 <= place < len(expected.params):
                yield expected.params[place]

    def _handled(self, function: FunctionInfo, param: Param) -> Iterator[Type]:
        """A handler in a dispatch table gets objects of the class that it stands beside."""
        if function.own_params[:1] == (param,):
            yield from self._tables.handled(function)

    def is_handed_over(self, function: FunctionInfo) -> bool:
        """Whether a function is given away as a value: to a call, into a table, to a name."""
        for user in self._infer.project.handing_on(function.name):
            called = {id(call.func) for call in all_calls(user)}
            for stmt in statements(user.body):
                # A definition binds the name; that is no use of it.
                values = (stmt.value,) if isinstance(stmt, Assign) else own_expressions(stmt)
                for expr in values:
                    if expr is not None and self._holds(expr, function, called, Scope(user)):
                        return True
        return False

    def _holds(self, expr: Expr, function: FunctionInfo, called: set[int], scope: Scope) -> bool:
        """Whether a function stands in an expression other than to be called."""
        return any(
            not isinstance(part, Local) and id(part) not in called and self._is(part, function, scope)
            for part in parts(expr)
        )

    def expected(self, function: FunctionInfo) -> Iterator[Signature]:
        """The callable annotations of the parameters that a function is handed to."""
        for caller in self._infer.project.handing_on(function.name):
            scope = Scope(caller)
            for call in all_calls(caller):
                handed = [*call.args, *[word.value for word in call.keywords]]
                mine = [arg for arg in handed if self._is(arg, function, scope)]
                if mine:
                    yield from self._signatures(call, mine[0], scope)

    def _is(self, arg: Expr | None, function: FunctionInfo, scope: Scope) -> bool:
        return (
            arg is not None
            and last_name(arg) == function.name
            and any(
                isinstance(atom, Method) and atom.function is function
                for atom in self._infer.type_of(arg, scope)
            )
        )

    def _signatures(self, call: Call, arg: Expr, scope: Scope) -> Iterator[Signature]:
        for target, param in self._parameters(call, arg, scope):
            for expected in self._infer.param(target, param):
                if isinstance(expected, Signature):
                    yield expected

    def _parameters(self, call: Call, arg: Expr, scope: Scope) -> Iterator[tuple[FunctionInfo, Param]]:
        """The parameters that an argument of a call may go to."""
        for atom in in_order(self._infer.callee(call, scope)):
            target: FunctionInfo | None = None
            if isinstance(atom, ClassObject):
                target = atom.cls.method("__init__")
            elif isinstance(atom, Method):
                target = atom.function
            if target is None:
                continue
            params = target.own_params
            found = match_params(params, call.args, call.keywords)
            for param in params:
                if found is not None and found.by_name.get(param.name) is arg:
                    yield target, param


def all_calls(function: FunctionInfo) -> Iterator[Call]:
    """Every call in a function."""
    for group in function.calls.values():
        yield from group
