"""Which classes carry the field, and what else tells their objects apart (the identity)."""

from __future__ import annotations

from collections import Counter

from ipc_lint.contract.constructors import constructor
from ipc_lint.contract.nouns import Carrier, FieldPair
from ipc_lint.contract.stampers import assigned_fields
from ipc_lint.facts import Call, Const, Name
from ipc_lint.facts.walk import last_name, statements
from ipc_lint.index.arguments import match_params
from ipc_lint.index.classes import ClassInfo
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.project import Project

# A base that declares the field and little else says by its other fields what identifies a message.
SMALL = 3


def carriers(project: Project, fields: FieldPair) -> dict[ClassInfo, Carrier]:
    """Every class that declares the field: in its body, through a base, or in its ``__init__``."""
    found: dict[ClassInfo, Carrier] = {}
    set_in_init = {cls: _set_in_init(cls, fields) for cls in project.classes}
    with_init = {cls for cls in project.classes if _inits(cls)}
    for cls in project.classes:
        names = {name for name in fields.names if cls.field(name) is not None}
        for base in cls.mro:
            names |= set_in_init[base].keys()
        if names:
            own = next((set_in_init[base] for base in cls.mro if base in with_init), {})
            filled = any(own.values()) or _has_default(cls, fields.single)
            found[cls] = Carrier(cls, frozenset(names), constructor(cls), filled)
    return found


def _has_default(cls: ClassInfo, field: str) -> bool:
    """Whether a class declares the field with an address in place of None."""
    declared = cls.field(field)
    default = None if declared is None else declared[1].default
    match default:
        case Const(value):
            return bool(value)  # "" is no address
        case Call(func, _, keywords) if last_name(func) in ("field", "Field", "ib", "attrib"):
            given = {word.name: word.value for word in keywords}
            return (
                "default_factory" in given
                or "factory" in given
                or (isinstance(given.get("default"), Const) and given["default"] != Const(None))
            )
    return False


def _inits(cls: ClassInfo) -> list[FunctionInfo]:
    """What runs when an object of the class is made, as far as the class itself defines it."""
    found = (cls.own_method(name) for name in ("__init__", "__post_init__"))
    return [init for init in found if init is not None]


def _set_in_init(cls: ClassInfo, fields: FieldPair) -> dict[str, bool]:
    """The fields that a class sets when it is made; True if from inside another object."""
    found: dict[str, bool] = {}
    for init in _inits(cls):
        found |= _handed_to_base(init, cls, fields)
        if not init.facts.params or not any(name in init.text for name in fields.names):
            continue
        itself = Name(init.facts.params[0].name)
        for stmt in statements(init.body):
            for target, field, value in assigned_fields(stmt, init, fields):
                if target == itself:
                    given = isinstance(value, (Name, Const))
                    found[field] = found.get(field, False) or not given
    return found


def _handed_to_base(init: FunctionInfo, cls: ClassInfo, fields: FieldPair) -> dict[str, bool]:
    """The fields that an ``__init__`` gives to its base's, out of something other than its own parameter."""
    found: dict[str, bool] = {}
    if init.name == "__init__" and init.text.count("__init__") == 1:
        return found  # its own name
    takes = [constructor(base) or () for base in cls.bases]
    if not any(param.name in fields.names for params in takes for param in params):
        return found
    for call in init.calls_named("__init__"):
        for params in takes:
            given = match_params(params, call.args, call.keywords)
            for field in fields.names:
                value = None if given is None else given.by_name.get(field)
                if value is not None and not isinstance(value, Const) and value != Name(field):
                    found[field] = True
    return found


def identities(found: dict[ClassInfo, Carrier], fields: FieldPair) -> frozenset[str]:
    """The fields that identify a message, or the items of a batch.

    They are the other fields of the small base classes that declare the field first; where nothing
    derives from a small one, those that another carrier has too.
    """
    names: set[str] = set()
    for field in fields.names:
        names |= _identity({cls: c for cls, c in found.items() if field in c.fields}, fields)
    return frozenset(names)


def _identity(found: dict[ClassInfo, Carrier], fields: FieldPair) -> set[str]:
    small = [cls for cls in found if _declares(cls, fields) and 0 < len(_others(cls, fields)) <= SMALL]
    bases = [cls for cls in small if cls.subclasses]
    if bases:
        return {name for cls in bases for name in _others(cls, fields)}
    shared = Counter(name for carrier in found.values() for name in _known_names(carrier, fields))
    return {name for cls in small for name in _others(cls, fields) if shared[name] > 1 or len(found) == 1}


def _declares(cls: ClassInfo, fields: FieldPair) -> bool:
    """Whether a class declares the field itself, in its body or its ``__init__``."""
    return any(f.name in fields.names for f in cls.facts.fields) or bool(_set_in_init(cls, fields))


def _others(cls: ClassInfo, fields: FieldPair) -> set[str]:
    """What a class declares itself or takes, but for the carried fields."""
    names = {f.name for f in cls.facts.fields}
    for init in _inits(cls):
        names |= {p.name for p in init.facts.params[1:] if p.kind in ("positional", "keyword")}
    return names - set(fields.names)


def _known_names(carrier: Carrier, fields: FieldPair) -> set[str]:
    """The names that a carrier declares or takes."""
    declared = {f.name for cls in carrier.cls.mro for f in cls.facts.fields}
    return (declared | {p.name for p in carrier.params or ()}) - set(fields.names)
