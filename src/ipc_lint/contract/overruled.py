"""What the user says of the contract besides what is inferred: names, looked up in the project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from ipc_lint.contract.constructors import constructor
from ipc_lint.contract.nouns import Carrier, FieldPair, Sender, Stamp, Stamper
from ipc_lint.index.classes import ClassInfo
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.project import Project
from ipc_lint.settings import Overrules


class Overruled(Struct):
    """The classes and functions that are meant; ``unknown`` says which names nothing has."""

    carriers: dict[ClassInfo, Carrier] = field(default_factory=dict)
    stampers: dict[FunctionInfo, Stamper] = field(default_factory=dict)
    senders: dict[FunctionInfo, Sender] = field(default_factory=dict)
    addressed: frozenset[FunctionInfo] = frozenset()
    unknown: list[str] = field(default_factory=list)


def overruled(project: Project, fields: FieldPair, overrules: Overrules) -> Overruled:
    """Look the names up."""
    found = Overruled()
    found.carriers = dict(_carriers(project, fields, overrules.carriers, found.unknown))
    for key, names in (("stampers", overrules.stampers), ("senders", overrules.senders)):
        for name in names:
            for function, output, origin in _roles(project, name, key, found.unknown):
                stamps = (Stamp(output, origin, fields.single, ()),)
                found.stampers[function] = Stamper(function, output, origin, stamps)
                if key == "senders":
                    found.senders[function] = Sender(function, output, origin, stamps)
    found.addressed = frozenset(
        function
        for name in overrules.addressed_senders
        for function in _functions(project, name, "addressed-senders", found.unknown)
    )
    return found


def _carriers(
    project: Project, fields: FieldPair, names: Iterable[str], unknown: list[str]
) -> Iterator[tuple[ClassInfo, Carrier]]:
    """The named classes and all that derive from them."""
    for name in names:
        bases = [cls for cls in project.classes if name in names_of(cls)]
        if not bases:
            unknown.append(f"`carriers`: no class {name} in this project")
        for cls in project.classes:
            if any(base in cls.mro for base in bases):
                yield cls, Carrier(cls, frozenset({fields.single}), constructor(cls), False)


def _roles(
    project: Project, name: str, key: str, unknown: list[str]
) -> Iterator[tuple[FunctionInfo, str, str | None]]:
    """The functions of a name, with the parameters that are the output and the origin.

    Without a word about them the first is the output, and there is no origin.
    """
    qualname, _, roles = name.rstrip(")").partition("(")
    wanted = [role.strip() for role in roles.split(",") if role.strip()]
    for function in _functions(project, qualname, key, unknown):
        params = [param.name for param in function.own_params]
        missing = [role for role in wanted if role not in params]
        if missing or not params:
            unknown.append(f"`{key}`: {qualname} has no parameter {', '.join(missing)}".rstrip())
        else:
            output, *others = wanted or params[:1]
            yield function, output, others[0] if others else None


def _functions(project: Project, name: str, key: str, unknown: list[str]) -> list[FunctionInfo]:
    found = [f for m in project.modules.values() for f in m.functions.values() if name in names_of(f)]
    if not found:
        unknown.append(f"`{key}`: no function {name} in this project")
    return found


def names_of(it: ClassInfo | FunctionInfo) -> set[str]:
    """The qualified names by which the user may speak of a class or function."""
    return {f"{module}.{it.facts.qualname}" for module in it.module.names}
