"""Are two names two different objects, as far as the code says? Most of an address's detours are one."""

from __future__ import annotations

from collections.abc import Collection

from ipc_lint.contract.infer import Contract
from ipc_lint.facts import Call, Compare, Expr, Name
from ipc_lint.facts.walk import variables
from ipc_lint.index.arguments import matched
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.judge.values import Source, Value

_HOPS = 3


def single(value: Value, names: Collection[str]) -> Source | None:
    """The one plain variable that a value was read from by one of some names, if it is one."""
    found = {source.of: source for source in value.sources if source.name in names}
    others = {source.of for source in value.sources} - found.keys()
    if len(found) != 1 or others:
        return None
    source = next(iter(found.values()))
    return source if isinstance(source.of, Name) else None


def are_apart(contract: Contract, function: FunctionInfo, one: Expr, other: Expr) -> bool:
    """Whether two variables hold objects of which neither comes from the other, here and at the callers."""
    if not (isinstance(one, Name) and isinstance(other, Name)) or one == other:
        return False
    if function.takes_self and function.facts.params[0].name in (one.id, other.id):
        return False
    if not (_is_own(one.id, function) and _is_own(other.id, function)):
        return False  # of a function around: what it has to do with the other can't be seen here
    if _are_related(one, other, function) or _meet(one.id, other.id, function):
        return False
    for site in contract.infer.callers.of(function):
        found = matched(function, site.call, bound=site.bound)
        mine = None if found is None else found.by_name.get(one.id)
        theirs = None if found is None else found.by_name.get(other.id)
        if mine is not None and theirs is not None and _are_related(mine, theirs, site.caller):
            return False
    return True


def _is_own(name: str, function: FunctionInfo) -> bool:
    return name in function.bindings or any(param.name == name for param in function.facts.params)


def _meet(one: str, other: str, function: FunctionInfo) -> bool:
    """Whether two variables are compared, or one is what a call that was given the other has brought."""
    for part in function.everything:
        match part:
            case Compare(left, _, right):
                if {one, other} <= variables(left) | variables(right):
                    return True
            case Call(func):
                for given, brought in ((one, other), (other, one)):
                    if given in variables(part) and variables(func) & _given(brought, function):
                        return True
    return False


def _are_related(one: Expr, other: Expr, function: FunctionInfo) -> bool:
    """Whether one of two expressions has a part in the other, or both have something in common."""
    return any(
        _comes_from(mine, theirs, function, _HOPS) or _comes_from(theirs, mine, function, _HOPS)
        for mine in variables(one)
        for theirs in variables(other)
    )


def _comes_from(name: str, other: str, function: FunctionInfo, hops: int) -> bool:
    """Whether a variable is given a value that another one has a part in, or shares a part with."""
    if name == other:
        return True
    found = _given(name, function)
    if not hops or not found:
        return False
    if found & _given(other, function):
        return True
    return any(_comes_from(part, other, function, hops - 1) for part in found - {name})


def _given(name: str, function: FunctionInfo) -> set[str]:
    """The variables in the values that a variable is given."""
    return {part for value in function.bindings.get(name, ()) for part in variables(value)}
