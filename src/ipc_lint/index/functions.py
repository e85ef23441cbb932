"""One function of the project, and what its body binds, calls and stores."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from ipc_lint.facts import Assign, Attr, Body, Call, Do, Expr, Function, Name, Param, Raise
from ipc_lint.facts.body import TooDeep, lower_body
from ipc_lint.facts.spread import spread
from ipc_lint.facts.walk import bindings, dotted, everything, last_name, statements
from ipc_lint.facts.words import ends_of, may_bind, names_are_plain, utf8

if TYPE_CHECKING:
    from ipc_lint.index.classes import ClassInfo
    from ipc_lint.index.project import Module

# Methods that put what they are given into their object.
_KEEPS = frozenset("append add appendleft insert setdefault update".split())


class FunctionInfo:
    """One function; equal only to itself."""

    def __init__(self, module: Module, facts: Function, body: Body | None = None) -> None:
        self.module = module
        self.facts = facts
        self.name = facts.qualname.rpartition(".")[2]
        if body is not None:
            self.__dict__["body"] = body

    def __repr__(self) -> str:
        return f"<function {self.qualname} in {self.module.path}:{self.facts.at.line}>"

    @property
    def qualname(self) -> str:
        """The dotted name with the module's."""
        return f"{self.module.name}.{self.facts.qualname}"

    @cached_property
    def text(self) -> str:
        """The source, from the line of the first decorator on."""
        return "".join(self.module.lines[self.facts.at.line - 1 : self.facts.at.end_line])

    @cached_property
    def data(self) -> bytes:
        """The source as it is looked through."""
        return self.module.text.between(self.facts.at.line, self.facts.at.end_line)

    @cached_property
    def body(self) -> Body:
        """The statements, lowered on first use; none where they are nested too deeply."""
        try:
            body = self._lowered()
            if b"**" not in self.data:
                return body
            every = everything(body)
            params = [param.name for param in self.facts.params]
            spread_out = spread(body, every, params, self.module.written, self.text)
            if spread_out is body:
                self.__dict__["everything"] = every
            return spread_out
        except (TooDeep, RecursionError, MemoryError):
            self.module.unfollowed.append(self.facts.at.line)
            return ()

    def _lowered(self) -> Body:
        """The statements as they are written, which nothing outside the file can change."""
        facts = self.facts
        known = self.module.bodies.get(facts.key)
        if known is None:
            known = lower_body(self.text, facts.at, facts.qualname)
            self.module.bodies[facts.key] = known
        return known

    @cached_property
    def bindings(self) -> Mapping[str, tuple[Expr, ...]]:
        """Every value bound to a local name."""
        return bindings(self.body, walrus=b":=" in self.data)

    def bound_to(self, name: str) -> tuple[Expr, ...]:
        """Every value bound to a local name; the body is only lowered if the source may bind it."""
        known = "body" in self.__dict__ or self.facts.key in self.module.bodies
        if known or not self.names_are_plain or may_bind(name, self._statements):
            return self.bindings.get(name, ())
        return ()

    @cached_property
    def _statements(self) -> bytes:
        """The source without the signature, as it is looked through."""
        return self.module.text.between(self.facts.body_line, self.facts.at.end_line)

    @cached_property
    def everything(self) -> list[Expr]:
        """Every expression of the body and every part of one."""
        return everything(self.body)

    @cached_property
    def names_are_plain(self) -> bool:
        """Whether patterns can tell where a name stands in the source."""
        return names_are_plain(self.data)

    @cached_property
    def sets_by_name(self) -> bool:
        """Whether the body may set an attribute by ``setattr``."""
        return b"setattr" in self.data or not self.names_are_plain

    def values_of(self, expr: Expr) -> tuple[Expr, ...]:
        """What an expression may be: what is bound to a local name, anything else as it stands."""
        return self.bindings.get(expr.id, ()) if isinstance(expr, Name) else (expr,)

    @cached_property
    def calls(self) -> Mapping[str, tuple[Call, ...]]:
        """Every call in the body, by the last name of what is called ("" where it has none)."""
        found: dict[str, list[Call]] = {}
        for call in self.everything:
            if isinstance(call, Call):
                found.setdefault(last_name(call.func) or "", []).append(call)
        return {name: tuple(group) for name, group in found.items()}

    def calls_named(self, name: str) -> tuple[Call, ...]:
        """Every call of something of that name; the body is only lowered if the source has one."""
        # Beyond ASCII one name may be spelled in several ways, and its end is hard to tell.
        known = "calls" in self.__dict__ or not self.names_are_plain
        if not known and not any(_CALLED.match(self.data, end) for end in ends_of(utf8(name), self.data)):
            return ()
        return self.calls.get(name, ())

    def may_hand_on(self, name: str) -> bool:
        """Whether the source may do something else with what has that name than to call it."""
        return not self.names_are_plain or not all(
            _CALLED_HERE.match(self.data, end) for end in ends_of(utf8(name), self.data)
        )

    @cached_property
    def stored(self) -> Mapping[object, tuple[Expr, ...]]:
        """What each value is put into: by the name that it has, or by the ``id`` of its expression."""
        found: dict[object, list[Expr]] = {}
        for stmt in statements(self.body):
            if isinstance(stmt, Assign) and stmt.value is not None:
                found.setdefault(_key(stmt.value), []).extend(stmt.targets)
        for name, group in self.calls.items():
            for call in group if name in _KEEPS else ():
                for arg in call.args if isinstance(call.func, Attr) else ():
                    found.setdefault(_key(arg), []).append(call.func)
        return {value: tuple(places) for value, places in found.items()}

    @cached_property
    def named(self) -> Mapping[int, tuple[str, ...]]:
        """The names that are bound to each value, by the ``id`` of its expression."""
        found: dict[int, list[str]] = {}
        for name, values in self.bindings.items():
            for value in values:
                found.setdefault(id(value), []).append(name)
        return {value: tuple(names) for value, names in found.items()}

    @cached_property
    def owner(self) -> ClassInfo | None:
        """The class that this is a method of."""
        return self.module.classes.get(self.facts.owner) if self.facts.owner else None

    @cached_property
    def enclosing(self) -> FunctionInfo | None:
        """The function that this one stands in."""
        return self.module.functions.get(self.facts.scope) if self.facts.scope else None

    @cached_property
    def owner_around(self) -> ClassInfo | None:
        """The class that this is a method of, or stands in a method of."""
        if self.owner is not None or self.enclosing is None:
            return self.owner
        return self.enclosing.owner_around

    @cached_property
    def method_around(self) -> FunctionInfo | None:
        """The method whose ``self`` is seen here: this one, or the one that it stands in."""
        if self.takes_self:
            return self
        return None if self.enclosing is None else self.enclosing.method_around

    @cached_property
    def decorators(self) -> frozenset[str]:
        """The last names of the decorators."""
        return frozenset((dotted(d) or "").rpartition(".")[2] for d in self.facts.decorators)

    @cached_property
    def is_left_open(self) -> bool:
        """Whether a method does nothing by itself: others of its name say what it does."""
        return self.facts.owner is not None and all(isinstance(stmt, (Raise, Do)) for stmt in self.body)

    @cached_property
    def takes_self(self) -> bool:
        """Whether the first parameter is bound by the access (a method that is not static)."""
        params = self.facts.params
        return (
            self.facts.owner is not None
            and "staticmethod" not in self.decorators
            and bool(params)
            and params[0].kind == "positional"
        )

    @cached_property
    def own_params(self) -> tuple[Param, ...]:
        """The parameters but for the one that the access binds."""
        return self.facts.params[1:] if self.takes_self else self.facts.params

    def params_for(self, *, bound: bool) -> tuple[Param, ...]:
        """The parameters that a call fills; ``bound``: the receiver has taken the first."""
        return self.own_params if bound else self.facts.params


# What follows a name that is called: `(name)(x)`, `name \\` at the end of a line, a comment (to the end of
# its line: else a row of `#` could be taken apart in too many ways).
_CALLED = re.compile(rb"(?:[\s)\\]|#[^\r\n]*(?![^\r\n]))*\(")
# A parenthesis in the next line may begin another statement.
_CALLED_HERE = re.compile(rb"[ \t]*\(")


def _key(value: Expr) -> object:
    return value.id if isinstance(value, Name) else id(value)
