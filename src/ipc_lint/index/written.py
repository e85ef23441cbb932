"""The names that an expression stands for: those of a display, ``("a", "b")``, or a class's fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ipc_lint.facts import Attr, Call, Comp, Const, Expr, Imported, Local, Name, Seq
from ipc_lint.facts.walk import last_name

if TYPE_CHECKING:
    from ipc_lint.index.project import Module

_Names: TypeAlias = "tuple[str, ...] | None"
_HOPS = 6
_KEEPS = frozenset(["tuple", "list", "set", "frozenset", "sorted", "iter", "reversed"])
# What holds the names of a class's fields, by the library that generates its constructor.
_FIELDS = frozenset(
    "__dataclass_fields__ __struct_fields__ __attrs_attrs__ __match_args__ model_fields __fields__ _fields "
    "__annotations__".split()
)


def written_names(expr: Expr, module: Module, hops: int = _HOPS) -> _Names:
    """The names that an expression of a module stands for, in order; None where they can't be known."""
    if not hops:
        return None
    match expr:
        case Seq(_, items):
            texts = [item.value for item in items if isinstance(item, Const)]
            names = tuple(text for text in texts if isinstance(text, str))
            return names if len(names) == len(items) else None
        case Call(func, (inner,), ()) if last_name(func) in _KEEPS:
            return written_names(inner, module, hops - 1)
        case Call(Attr(inner, "keys"), (), ()):
            return written_names(inner, module, hops - 1)
        case Attr(cls, name) if name in _FIELDS:
            return _fields(cls, module, hops - 1)
        case Comp(_, (Attr(Name(item), "name"),), (loop,)) if loop.target == Name(item) and not loop.tests:
            match loop.iter:
                case Call(func, (cls,), ()) if last_name(func) == "fields":
                    return _fields(cls, module, hops - 1)
        case Name(name):
            return _named(name, module, hops - 1)
    return None


def _named(name: str, module: Module, hops: int) -> _Names:
    """What a module binds a name to, once and for all, itself or by an import."""
    values = module.toplevel.bindings.get(name, ())
    if len(values) != 1:
        return None
    found = _imported(values[0], module) if isinstance(values[0], Imported) else (module, values[0])
    return None if found is None else written_names(found[1], found[0], hops)


def _imported(what: Imported, module: Module) -> tuple[Module, Expr] | None:
    """The module that an import leads to, and the name there."""
    target = module.project.module_of(module, what)
    if target is None or isinstance(target, str) or what.name is None:
        return None
    return target, Name(what.name)


def _fields(cls: Expr, module: Module, hops: int) -> _Names:
    """The fields of a class, its bases' first; None if one of these can't be found."""
    if not hops or not isinstance(cls, Name):
        return None
    values = module.toplevel.bindings.get(cls.id, ())
    match values:
        case (Local(qualname),) if qualname in module.classes:
            facts = module.classes[qualname].facts
        case (Imported() as what,):
            found = _imported(what, module)
            return None if found is None else _fields(found[1], found[0], hops - 1)
        case _:
            return None
    names: dict[str, None] = {}
    for base in facts.bases:
        inherited = () if last_name(base) in ("object", "Struct") else _fields(base, module, hops - 1)
        if inherited is None:
            return None
        names |= dict.fromkeys(inherited)
    return tuple(names | {field.name: None for field in facts.fields if field.annotation is not None})
