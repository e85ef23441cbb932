"""The contract of a field: carriers, stampers and senders, found until nothing is added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Literal

from ipc_lint.contract.carriers import carriers, identities
from ipc_lint.contract.nouns import Carrier, FieldPair, Sender, Stamp, Stamper
from ipc_lint.contract.overruled import overruled
from ipc_lint.contract.stampers import assigned_fields, hands_on, has_fallback, sets_itself, stamps_in
from ipc_lint.facts import Call, Const, Expr, Item, Name
from ipc_lint.facts.walk import statements
from ipc_lint.index.arguments import Matched, matched
from ipc_lint.index.callers import CallSite
from ipc_lint.index.classes import ClassInfo
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.infer import Inference
from ipc_lint.index.project import Module
from ipc_lint.index.scope import Scope
from ipc_lint.index.types import ClassObject, Method, Type, instances
from ipc_lint.settings import Overrules


class Contract:
    """What the project says about one field."""

    def __init__(self, infer: Inference, fields: FieldPair, overrules: Overrules | None = None) -> None:
        """``overrules`` are what the user says besides."""
        self.infer = infer
        self.project = infer.project
        self.fields = fields
        self.overruled = overruled(self.project, fields, overrules or Overrules())
        self.carriers: dict[ClassInfo, Carrier] = {
            **self.overruled.carriers,
            **carriers(self.project, fields),
        }
        self.identities = identities(self.carriers, fields)
        self.stampers: dict[FunctionInfo, Stamper] = dict(self.overruled.stampers)
        self.senders: dict[FunctionInfo, Sender] = dict(self.overruled.senders)
        self.self_setters: set[FunctionInfo] = set()
        self._find_stampers()
        self._follow()
        self.messages = frozenset(self._message_bases())

    @cached_property
    def maker_names(self) -> frozenset[str]:
        """The short names of the carriers, by which a function that makes one can be told."""
        return frozenset(cls.short for cls in self.carriers)

    @cached_property
    def stamps_results(self) -> bool:
        """Whether somebody sets the field on the result of a call that can't be resolved."""
        return any(
            self._stamps_result(function)
            for name in self.fields.names
            for function in self.project.mentions(name)
        )

    @cached_property
    def set_objects(self) -> tuple[tuple[FunctionInfo, Expr], ...]:
        """Every object that the field is set on, by an assignment or a stamper, with the function."""
        return tuple(self._set_objects())

    @cached_property
    def set_in(self) -> Mapping[FunctionInfo, list[Expr]]:
        """The objects that each function sets the field on."""
        found: dict[FunctionInfo, list[Expr]] = {}
        for function, target in self.set_objects:
            found.setdefault(function, []).append(target)
        return found

    def _set_objects(self) -> Iterator[tuple[FunctionInfo, Expr]]:
        for name in self.fields.names:
            for user in self.project.mentions(name):
                for stmt in statements(user.body):
                    for target, _, _ in assigned_fields(stmt, user, self.fields):
                        yield user, target
        for stamper in self.stampers.values():
            if stamper.function not in self.senders:
                for site in self.calls_of(stamper.function):
                    found = matched(stamper.function, site.call, bound=site.bound)
                    output = None if found is None else found.by_name.get(stamper.output)
                    if output is not None:
                        yield site.caller, output

    def _stamps_result(self, function: FunctionInfo) -> bool:
        scope = Scope(function)
        for stmt in statements(function.body):
            for target, _, _ in assigned_fields(stmt, function, self.fields):
                if isinstance(target, Name):
                    for value in function.bindings.get(target.id, ()):
                        whole = value.value if isinstance(value, Item) else value
                        if isinstance(whole, Call) and self._is_unseen(whole, scope):
                            return True
        return False

    def _is_unseen(self, call: Call, scope: Scope) -> bool:
        """Whether nobody can say which function a call reaches."""
        callee = self.infer.callee(call, scope)
        return all(isinstance(atom, Method) and atom.function.is_left_open for atom in callee)

    def names_in(self, module: Module) -> set[str]:
        """The names under which a module has carriers, its own and imported ones."""
        names = set(module.toplevel.bindings)
        for star in module.facts.stars:
            target = self.project.module_of(module, star)
            if isinstance(target, Module) and target is not module:
                names |= target.toplevel.bindings.keys()
        return {
            name
            for name in names
            for atom in self.infer.global_name(name, module)
            if isinstance(atom, ClassObject) and atom.cls in self.carriers
        }

    # ------------------------------------------------------------ what is what

    def carrier(self, type_: Type) -> Carrier | None:
        """The first carrier that a value may be an object of."""
        for cls in instances(type_):
            if cls in self.carriers:
                return self.carriers[cls]
        return None

    def carriers_of(self, type_: Type) -> list[Carrier]:
        """Every carrier that a value may be an object of."""
        return [self.carriers[cls] for cls in instances(type_) if cls in self.carriers]

    def is_message(self, cls: ClassInfo) -> bool:
        """Whether a stamper may still set the field on objects of a class."""
        return any(base in self.messages for base in cls.mro)

    def field_of(self, carrier: Carrier) -> str:
        """The one of the pair that a carrier has (the single one where it has both)."""
        return self.fields.single if self.fields.single in carrier.fields else self.fields.batch

    # ---------------------------------------------------------------- stampers

    def _find_stampers(self) -> None:
        for name in self.fields.names:
            for function in self.project.mentions(name):
                if self._is_settled(function) or not function.facts.params or function.name == "__init__":
                    continue
                if sets_itself(function, self.fields):
                    self.self_setters.add(function)
                found = list(stamps_in(function, self.fields))
                if found:
                    self._add(function, found)

    def _is_settled(self, function: FunctionInfo) -> bool:
        """Whether it is known what a function is, or said that it is to be left alone."""
        return function in self.stampers or function in self.senders or function in self.overruled.addressed

    def _add(self, function: FunctionInfo, stamps: list[Stamp]) -> None:
        copies = [stamp for stamp in stamps if stamp.origin is not None]
        chosen = copies or stamps
        output = chosen[0].output
        mine = tuple(stamp for stamp in chosen if stamp.output == output)
        origin = mine[0].origin
        self.stampers[function] = Stamper(function, output, origin, mine)
        if origin is not None and hands_on(function, output):
            fallback = has_fallback(function, output, origin, self.fields)
            self.senders[function] = Sender(function, output, origin, mine, None, fallback)

    # ----------------------------------------------------------------- helpers

    def _follow(self) -> None:
        """Add the functions that give their own parameters to a sender or a copying stamper.

        Who writes an address of its own needs no following: whatever comes through it is stamped.
        """
        queue = [function for function, stamper in self.stampers.items() if stamper.origin is not None]
        while queue:
            known = queue.pop(0)
            for site in self.calls_of(known):
                if self._forwards(known, site):
                    queue.append(site.caller)

    def calls_of(self, function: FunctionInfo) -> list[CallSite]:
        """The calls of a stamper or sender."""
        found = list(self.infer.callers.of(function))
        if function in self.senders and function.facts.owner is not None:
            found += self.infer.callers.by_name(function)
        return found

    def _forwards(self, known: FunctionInfo, site: CallSite) -> bool:
        caller = site.caller
        if self._is_settled(caller):
            return False
        role: Stamper | Sender = self.senders.get(known) or self.stampers[known]
        found = matched(known, site.call, bound=site.bound)
        output = None if found is None else own_parameter(found.by_name.get(role.output), caller)
        if found is None or output is None:
            return False
        origin = self._origin_role(role, found, caller, output)
        if origin is False:
            return False
        sends = isinstance(role, Sender) or (bool(origin) and bool(hands_on(caller, output)))
        if origin:
            self.stampers[caller] = Stamper(caller, output, origin, role.stamps)
        if sends:
            fallback = isinstance(role, Sender) and role.fallback
            self.senders[caller] = Sender(caller, output, origin or None, role.stamps, known, fallback)
        return sends or bool(origin)

    def _origin_role(
        self, role: Stamper | Sender, found: Matched, caller: FunctionInfo, output: str
    ) -> str | Literal[False] | None:
        """The caller's own parameter that it gives as origin.

        None: it gives no origin and has none at hand. False: the origin comes from elsewhere, or
        ought to: then the caller's own call is the place to look at.
        """
        if role.origin is None:
            return None
        given = found.by_name.get(role.origin)
        if is_absent(given) and not found.open:
            return False if self.at_hand(caller, output) else None
        own = own_parameter(given, caller)
        return own if own is not None and own != output else False

    def at_hand(self, function: FunctionInfo, output: str) -> list[str]:
        """The parameters of a function that are carriers with the single field, the output aside."""
        return [
            param.name
            for param in function.own_params
            if param.name != output
            and param.kind in ("positional", "keyword")
            and any(
                self.fields.single in carrier.fields
                for carrier in self.carriers_of(self.infer.param(function, param))
            )
        ]

    # ---------------------------------------------------------------- messages

    def _message_bases(self) -> Iterator[ClassInfo]:
        for stamper in self.stampers.values():
            if stamper.function in self.senders and self.senders[stamper.function].through is not None:
                continue
            yield from self._named_by_gates(stamper)
            yield from self._named_by_annotation(stamper)

    def _named_by_gates(self, stamper: Stamper) -> Iterator[ClassInfo]:
        scope = Scope(stamper.function)
        for stamp in stamper.stamps:
            for gate in stamp.gates:
                if gate.subject == stamp.output and gate.positive:
                    for expr in gate.classes:
                        for atom in self.infer.type_of(expr, scope):
                            if isinstance(atom, ClassObject) and atom.cls in self.carriers:
                                yield atom.cls

    def _named_by_annotation(self, stamper: Stamper) -> Iterator[ClassInfo]:
        for param in stamper.function.facts.params:
            if param.name == stamper.output:
                if param.annotation is not None:
                    type_ = self.infer.said(param.annotation, Scope.of_signature(stamper.function))
                elif stamper.function in self.senders and not _is_gated(stamper):
                    type_ = self.infer.callers.passed(stamper.function, param)
                else:
                    continue
                for carrier in self.carriers_of(type_):
                    yield carrier.cls


def own_parameter(expr: Expr | None, function: FunctionInfo) -> str | None:
    """The parameter of a function that an expression plainly is."""
    if not isinstance(expr, Name) or expr.id in function.bindings:
        return None
    return expr.id if any(param.name == expr.id for param in function.own_params) else None


def is_absent(expr: Expr | None) -> bool:
    """Whether an argument is left out or a literal None."""
    return expr is None or (isinstance(expr, Const) and expr.value is None)


def _is_gated(stamper: Stamper) -> bool:
    return any(gate.subject == stamper.output for stamp in stamper.stamps for gate in stamp.gates)
