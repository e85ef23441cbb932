"""What the facts let one expect of the contract before anything is inferred.

It is only used to look ahead: which files will be asked for, and which bodies. What is foreseen in vain
is forgotten, what is not foreseen is found later.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ipc_lint.contract.carriers import SMALL
from ipc_lint.contract.nouns import FieldPair
from ipc_lint.contract.stampers import stamps_in
from ipc_lint.facts import Item, Name
from ipc_lint.facts.walk import last_name
from ipc_lint.index.classes import ClassInfo
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.project import Module, Project

# So many names are looked for ahead of time: each takes a helper a hundredth of a second in a large tree.
_MOST = 10


class Foreseen(NamedTuple):
    """Who stamps, the names of the carriers by module, and the identities.

    ``stampers`` gives for the name of each the place of the parameter that it sets the field on;
    ``owners`` are the names of the classes that they are methods of.
    """

    stampers: dict[str, int]
    owners: set[str]
    modules: dict[Module, set[str]]
    identities: set[str]


def foreseen(project: Project, fields: FieldPair) -> Foreseen:
    """What can be told from the classes that declare the field and the bodies at hand that copy it."""
    declaring = set(_declaring(project, fields))
    bases = {cls: set(_base_names(cls)) for cls in project.classes}
    carriers = {cls.short for cls in declaring}
    more = carriers
    while more:
        more = {cls.short for cls, names in bases.items() if names & more} - carriers
        carriers |= more
    modules: dict[Module, set[str]] = {}
    for cls in project.classes:
        if cls.short in carriers:
            modules.setdefault(cls.module, set()).add(cls.short)
    derived_from = {name for names in bases.values() for name in names}
    identities: set[str] = set()
    for cls in declaring:
        others = {field.name for field in cls.facts.fields} - set(fields.names)
        if cls.short in derived_from and len(others) <= SMALL:
            identities |= others
    copying = list(_copying(project, fields))
    owners = {function.owner.short for function, _ in copying if function.owner is not None}
    return Foreseen({function.name: place for function, place in copying}, owners, modules, identities)


def _base_names(cls: ClassInfo) -> Iterator[str]:
    for base in cls.facts.bases:
        name = last_name(base.value if isinstance(base, Item) else base)
        if name is not None:
            yield name


def _declaring(project: Project, fields: FieldPair) -> Iterator[ClassInfo]:
    """The classes that declare the field, in their body or in their ``__init__``."""
    for cls in project.classes:
        if any(field.name in fields.names for field in cls.facts.fields):
            yield cls
    for name in fields.names:
        for function, assign in project.attributes.get(name, ()):
            itself = [Name(param.name) for param in function.facts.params[:1]]
            if function.name == "__init__" and function.owner is not None and assign.receiver in itself:
                yield function.owner


def _copying(project: Project, fields: FieldPair) -> Iterator[tuple[FunctionInfo, int]]:
    """The functions that copy the field between two parameters, with the place of the one that gets it."""
    assigning = {function for name in fields.names for function, _ in project.attributes.get(name, ())}
    for function in _lowered(project):
        if function not in assigning and not function.sets_by_name:
            continue
        for stamp in stamps_in(function, fields):
            if stamp.origin is not None:
                names = [param.name for param in function.own_params]
                yield function, names.index(stamp.output)


def _lowered(project: Project) -> Iterator[FunctionInfo]:
    """The functions with a body at hand."""
    for module in project.modules.values():
        for function in module.functions.values() if module.bodies else ():
            if function.facts.key in module.bodies:
                yield function


def handing_on(project: Project, stampers: Mapping[str, int]) -> set[str]:
    """The names of the functions with a body at hand that let a parameter of theirs be stamped.

    None where there are so many that to look for them in vain would cost more than it saves.
    """
    names = {
        function.name
        for function in _lowered(project)
        for name, place in stampers.items()
        for call in function.calls_named(name)
        for arg in call.args[place : place + 1]
        if any(arg == Name(param.name) for param in function.own_params)
    }
    return names.difference(stampers) if len(names) <= _MOST else set()
