"""What a call makes: a carrier by its class, through a factory, a ``partial`` or a callable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from ipc_lint.contract.infer import Contract
from ipc_lint.contract.nouns import Carrier
from ipc_lint.facts import (
    Assign,
    Attr,
    Call,
    Const,
    Expr,
    Item,
    Keyword,
    Name,
    Param,
    ParamKind,
    Return,
    Star,
)
from ipc_lint.facts.walk import statements
from ipc_lint.index.arguments import Matched, match_params
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.scope import Scope
from ipc_lint.index.types import Atom, ClassObject, Instance, Method, Partial, Signature, Type, in_order
from ipc_lint.judge.values import Status

_HOPS = 5


class Making(Struct, frozen=True):
    """One carrier that a call makes.

    ``given`` are the arguments of the call itself by the carrier's parameters; ``open`` says that a
    ``*`` or ``**`` may hold more; ``bound`` are the parameters that were filled on the way;
    ``through`` are the factories passed.
    """

    carrier: Carrier
    given: dict[str, Expr]
    open: bool
    bound: frozenset[str] = frozenset()
    through: tuple[FunctionInfo, ...] = ()
    by_keyword: bool = True  # every factory passed hands keywords on

    def status(self, field: str) -> Status:
        """Whether the object has the field as soon as it is made."""
        if self.carrier.fills_itself or field in self.bound:
            return Status.SET
        value = self.given.get(field)
        if value is None:
            return Status.UNKNOWN if self.open else Status.UNSET
        return Status.UNSET if isinstance(value, Const) and value.value is None else Status.SET

    def takes(self, field: str) -> bool:
        """Whether the constructor has a parameter for the field."""
        params = self.carrier.params
        return params is None or any(p.name == field or p.kind == "kwargs" for p in params)


class _Passing(Struct, frozen=True):
    """Arguments on their way through factories; what was bound on the way is kept by name."""

    args: tuple[Expr, ...]
    keywords: tuple[Keyword, ...]
    bound: frozenset[str] = frozenset()
    through: tuple[FunctionInfo, ...] = ()
    by_keyword: bool = True


class Makings:
    """Resolves calls to the carriers that they make."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract

    def of(self, call: Call, callee: Type) -> list[Making]:
        """Every carrier that a call may make, in a stable order."""
        if any(isinstance(a, ClassObject) and a.cls not in self._contract.carriers for a in callee):
            return []  # it may as well make something else
        passing = _Passing(call.args, call.keywords)
        given = [atom for atom in in_order(callee) if not isinstance(atom, Signature)]
        # An annotation says what may come; where it is known what comes, that counts.
        found = [making for atom in given or in_order(callee) for making in self._made(atom, passing, _HOPS)]
        return sorted(found, key=self._worst_first)

    def _worst_first(self, making: Making) -> tuple[Status, str, int]:
        status = making.status(self._contract.field_of(making.carrier))
        return status, making.carrier.name, len(making.through)

    def _made(self, atom: Atom, passing: _Passing, hops: int) -> Iterator[Making]:
        match atom:
            case ClassObject(cls):
                carrier = self._contract.carriers.get(cls)
                if carrier is not None:
                    yield self._making(carrier, passing)
            case Signature(None, result):
                for inner in in_order(result):
                    if isinstance(inner, Instance) and inner.cls in self._contract.carriers:
                        yield self._making(self._contract.carriers[inner.cls], passing)
            case Partial(target, args, keywords):
                # What is bound is no argument of this call: only its name counts.
                names = frozenset(word.name for word in keywords if word.name is not None)
                more = _Passing(
                    (*args, *passing.args),
                    (*keywords, *passing.keywords),
                    passing.bound | names,
                    passing.through,
                )
                for inner in in_order(target):
                    yield from self._made(inner, more, hops)
            case Method(function, receiver) if hops:
                yield from self._forwarded(function, receiver is not None, passing, hops)

    def _making(self, carrier: Carrier, passing: _Passing) -> Making:
        found = match_params(carrier.params or (), passing.args, passing.keywords) if carrier.params else None
        if found is None:
            # An unknown constructor, or arguments that do not fit: the keywords are all that is sure.
            named = {word.name: word.value for word in passing.keywords if word.name is not None}
            is_open = len(named) < len(passing.keywords) or any(isinstance(a, Star) for a in passing.args)
            found = Matched(named, is_open or (carrier.params is None and bool(passing.args)), {})
        given = {**found.by_name, **found.extra}
        return Making(carrier, given, found.open, passing.bound, passing.through, passing.by_keyword)

    def _forwarded(
        self, function: FunctionInfo, bound: bool, passing: _Passing, hops: int
    ) -> Iterator[Making]:
        """What a function makes that forwards its own ``*args, **kwargs`` to a carrier."""
        params = function.params_for(bound=bound)
        rest: dict[ParamKind, str] = {p.kind: p.name for p in params if p.kind in ("args", "kwargs")}
        if not rest:
            return
        for stmt in statements(function.body):
            if isinstance(stmt, Return) and isinstance(stmt.value, Call):
                inner = _through(stmt.value, params, rest, passing, function)
                if inner is not None:
                    callee = self._contract.infer.callee(stmt.value, Scope(function))
                    for atom in in_order(callee):
                        yield from self._made(atom, inner, hops - 1)


def _through(
    call: Call,
    params: tuple[Param, ...],
    rest: Mapping[ParamKind, str],
    passing: _Passing,
    function: FunctionInfo,
) -> _Passing | None:
    """The arguments that reach an inner call which gets ``*args`` and ``**kwargs`` of a function."""
    stars = [arg for arg in call.args if isinstance(arg, Star)]
    passes_args = any(arg.value == Name(rest.get("args", "")) for arg in stars)
    passes_kwargs = any(w.name is None and w.value == Name(rest.get("kwargs", "")) for w in call.keywords)
    if not (passes_args or passes_kwargs):
        return None
    own = {p.name for p in params if p.kind in ("positional", "keyword")}
    places = sum(p.kind == "positional" for p in params)
    fixed = tuple(arg for arg in call.args if not isinstance(arg, Star))
    named = tuple(word for word in call.keywords if word.name is not None)
    handed = passing.args[places:] if passes_args else ()
    words = tuple(word for word in passing.keywords if word.name not in own) if passes_kwargs else ()
    bound = frozenset(word.name for word in named if word.name is not None and not _is_none(word.value))
    bound |= _filled(function, rest.get("kwargs", ""))
    return _Passing(
        (*fixed, *handed),
        (*named, *words),
        passing.bound | bound,
        (*passing.through, function),
        passing.by_keyword and passes_kwargs,
    )


def _filled(function: FunctionInfo, kwargs: str) -> frozenset[str]:
    """The names that a function puts into its own ``**kwargs``."""
    found: set[str] = set()
    for stmt in statements(function.body):
        if isinstance(stmt, Assign):
            for target in stmt.targets:
                match target:
                    case Item(Name(name), Const(str(key))) if name == kwargs:
                        found.add(key)
    for call in (*function.calls_named("setdefault"), *function.calls_named("update")):
        if isinstance(call.func, Attr) and call.func.value == Name(kwargs):
            found |= {word.name for word in call.keywords if word.name is not None}
            found |= {
                arg.value for arg in call.args[:1] if isinstance(arg, Const) and isinstance(arg.value, str)
            }
    return frozenset(found)


def _is_none(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value is None
