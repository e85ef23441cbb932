"""What a value may be: a set of atoms; the empty set means that nothing is known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ipc_lint.facts import Expr, Keyword
    from ipc_lint.index.project import ClassInfo, FunctionInfo, Module
    from ipc_lint.index.scope import Scope


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class of the project."""

    cls: ClassInfo


@dataclass(frozen=True, slots=True)
class ClassObject:
    """A class of the project itself."""

    cls: ClassInfo


@dataclass(frozen=True, slots=True)
class Method:
    """A function of the project; ``receiver`` is what its first parameter is bound to, if it is."""

    function: FunctionInfo
    receiver: Instance | ClassObject | None = None


@dataclass(frozen=True, slots=True)
class ModuleObject:
    """A module of the project."""

    module: Module


@dataclass(frozen=True, slots=True)
class External:
    """Something outside the scouted files, by its dotted name: a class, a function, a module."""

    name: str


@dataclass(frozen=True, slots=True)
class ExternalInstance:
    """An object of a class outside the scouted files."""

    name: str


@dataclass(frozen=True, slots=True)
class Collection:
    """A list, set, queue or iterator of items."""

    item: Type


@dataclass(frozen=True, slots=True)
class Fixed:
    """A tuple whose places are known."""

    items: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A mapping."""

    key: Type
    value: Type


@dataclass(frozen=True, slots=True)
class Signature:
    """A callable known only by its annotation, ``Callable[[...], result]``; None: any parameters."""

    params: tuple[Type, ...] | None
    result: Type


@dataclass(frozen=True, slots=True, eq=False)
class Partial:
    """``functools.partial(target, *args, **keywords)``, with the scope that the arguments stand in."""

    target: Type
    args: tuple[Expr, ...]
    keywords: tuple[Keyword, ...]
    scope: Scope


@dataclass(frozen=True, slots=True)
class Dispatcher:
    """An object that gives what it is called with to the handler of its class."""

    classes: frozenset[ClassInfo]
    handlers: Type


@dataclass(frozen=True, slots=True)
class Nothing:
    """None."""


Atom: TypeAlias = (
    Instance | ClassObject | Method | ModuleObject | External | ExternalInstance | Collection | Fixed
    | Table | Signature | Partial | Dispatcher | Nothing
)  # fmt: skip
Type: TypeAlias = frozenset[Atom]

UNKNOWN: Type = frozenset()
NONE: Type = frozenset({Nothing()})


def one(atom: Atom) -> Type:
    """The type that is just this atom."""
    return frozenset({atom})


def union(types: Iterable[Type]) -> Type:
    """Whatever any of the types may be."""
    return frozenset().union(*types)


def instances(type_: Type) -> list[ClassInfo]:
    """The project's classes that a value may be an object of, in a stable order."""
    found = [atom.cls for atom in type_ if isinstance(atom, Instance)]
    return sorted(found, key=lambda cls: cls.name)


def classes_in(type_: Type) -> list[ClassInfo] | None:
    """The classes that a class test's second argument names, or None if one is not known."""
    found: list[ClassInfo] = []
    for atom in type_:
        match atom:
            case ClassObject(cls):
                found.append(cls)
            case Fixed(places):
                for place in places:
                    inner = classes_in(place)
                    if inner is None:
                        return None
                    found += inner
            case _:
                return None
    return found or None


def items(type_: Type) -> Type:
    """What iterating over a value gives."""
    found: list[Type] = []
    for atom in type_:
        if isinstance(atom, Collection):
            found.append(atom.item)
        elif isinstance(atom, Fixed):
            found.extend(atom.items)
        elif isinstance(atom, Table):
            found.append(atom.key)
    return union(found)
