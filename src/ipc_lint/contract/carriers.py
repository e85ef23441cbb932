"""Which classes carry the field, and what else tells their objects apart (the identity)."""

from __future__ import annotations

from collections import Counter

from ipc_lint.contract.constructors import constructor
from ipc_lint.contract.nouns import Carrier, FieldPair
from ipc_lint.facts import Assign, Attr, Const, Name
from ipc_lint.facts.walk import statements
from ipc_lint.index.project import ClassInfo, FunctionInfo, Project

# A base that declares the field and little else says by its other fields what identifies a message.
_SMALL = 3


def carriers(project: Project, fields: FieldPair) -> dict[ClassInfo, Carrier]:
    """Every class that declares the field: in its body, through a base, or in its ``__init__``."""
    found: dict[ClassInfo, Carrier] = {}
    for cls in project.classes:
        names = {name for name in fields.names if cls.field(name) is not None}
        init = cls.method("__init__")
        set_in_init = {} if init is None else _set_in_init(init, fields)
        names |= set_in_init.keys()
        if not names:
            continue
        params = constructor(cls)
        found[cls] = Carrier(cls, frozenset(names), params, any(set_in_init.values()))
    return found


def _set_in_init(init: FunctionInfo, fields: FieldPair) -> dict[str, bool]:
    """The fields that an ``__init__`` sets on ``self``; True if from inside another object."""
    if not init.facts.params or fields.single not in init.module.text:
        return {}
    itself = Name(init.facts.params[0].name)
    found: dict[str, bool] = {}
    for stmt in statements(init.body):
        if isinstance(stmt, Assign):
            for target in stmt.targets:
                if isinstance(target, Attr) and target.value == itself and target.name in fields.names:
                    given = stmt.value is None or isinstance(stmt.value, (Name, Const))
                    found[target.name] = found.get(target.name, False) or not given
    return found


def identities(found: dict[ClassInfo, Carrier], fields: FieldPair) -> frozenset[str]:
    """The fields that identify a message.

    They are the other fields of the small base classes that declare the field first; where there is
    no such base, what all the classes have in common.
    """
    first = [cls for cls in found if any(f.name in fields.names for f in cls.facts.fields)]
    names: set[str] = set()
    for cls in first:
        others = {f.name for f in cls.facts.fields if f.annotation is not None} - set(fields.names)
        if 0 < len(others) <= _SMALL and (cls.subclasses or len(first) == len(found)):
            names |= others
    if names:
        return frozenset(names)
    counts: Counter[str] = Counter()
    for carrier in found.values():
        counts.update({p.name for p in carrier.params or ()} - set(fields.names))
    return frozenset(name for name, count in counts.items() if count == len(found) > 1)
