"""What a value may be: a set of atoms; the empty set means that nothing is known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from ipc_lint.facts import Expr, Keyword
    from ipc_lint.index.classes import ClassInfo
    from ipc_lint.index.functions import FunctionInfo
    from ipc_lint.index.project import Module
    from ipc_lint.index.scope import Scope


class Instance(Struct, frozen=True):
    """An object of a class of the project."""

    cls: ClassInfo


class ClassObject(Struct, frozen=True):
    """A class of the project itself."""

    cls: ClassInfo


class Method(Struct, frozen=True):
    """A function of the project; ``receiver`` is what its first parameter is bound to, if it is."""

    function: FunctionInfo
    receiver: Instance | ClassObject | None = None


class ModuleObject(Struct, frozen=True):
    """A module of the project."""

    module: Module


class External(Struct, frozen=True):
    """Something outside the scouted files, by its dotted name: a class, a function, a module."""

    name: str


class ExternalInstance(Struct, frozen=True):
    """An object of a class outside the scouted files."""

    name: str


class Collection(Struct, frozen=True):
    """A list, set, queue or iterator of items."""

    item: Type


class Fixed(Struct, frozen=True):
    """A tuple whose places are known."""

    items: tuple[Type, ...]


class Table(Struct, frozen=True):
    """A mapping."""

    key: Type
    value: Type


class Signature(Struct, frozen=True):
    """A callable known only by its annotation, ``Callable[[...], result]``; None: any parameters."""

    params: tuple[Type, ...] | None
    result: Type


class Partial(Struct, frozen=True, eq=False):
    """``functools.partial(target, *args, **keywords)``, with the scope that the arguments stand in."""

    target: Type
    args: tuple[Expr, ...]
    keywords: tuple[Keyword, ...]
    scope: Scope


class Dispatcher(Struct, frozen=True):
    """An object that gives what it is called with to the handler of its class."""

    classes: frozenset[ClassInfo]
    handlers: Type


class Nothing(Struct, frozen=True):
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


def in_order(type_: Type) -> list[Atom]:
    """The atoms in an order that is the same in every run: a set has one of its own in each."""
    return sorted(type_, key=_label) if len(type_) > 1 else list(type_)


def _label(what: object) -> str:
    """What tells one thing from all others."""
    if isinstance(what, frozenset):
        return ",".join(sorted(map(_label, what)))
    if isinstance(what, (tuple, list)):
        return ",".join(map(_label, what))
    if isinstance(what, dict):
        return _label([*what.items()])
    if isinstance(what, Struct):
        return (
            f"{type(what).__name__}({_label(tuple(getattr(what, name) for name in what.__struct_fields__))})"
        )
    return str(what)


def instances(type_: Type) -> list[ClassInfo]:
    """The project's classes that a value may be an object of, in a stable order."""
    found = [atom.cls for atom in type_ if isinstance(atom, Instance)]
    return sorted(found, key=lambda cls: (cls.name, cls.module.path)) if len(found) > 1 else found


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
