"""What a class's constructor takes: its ``__init__``, else the fields that a generated one takes."""

from __future__ import annotations

from collections.abc import Iterator

from ipc_lint.facts import Attr, Call, Const, Expr, Field, Item, Name, Param
from ipc_lint.facts.walk import dotted
from ipc_lint.index.classes import ClassInfo

_GENERATORS = frozenset(["dataclass", "define", "frozen", "mutable", "attrs", "s", "attrib"])
_DECLARES = frozenset(["attr.ib", "attr.attrib", "attr.field", "attrs.field", "ib", "attrib", "field"])
_STRUCT_BASES = frozenset(["Struct", "BaseModel", "NamedTuple", "TypedDict", "RootModel", "SQLModel"])
_KEYWORD_ONLY_BASES = frozenset(["BaseModel", "TypedDict", "SQLModel"])


def constructor(cls: ClassInfo) -> tuple[Param, ...] | None:
    """The parameters of a class's constructor without ``self``, or None if it can't be known."""
    for here in cls.mro:
        own = here.own_method("__init__")
        if own is not None:
            return own.facts.params[1:]
        if _generates(here):
            return _generated(cls)
    return _generated(cls) if _generates(cls) else None


def _generates(cls: ClassInfo) -> bool:
    """Whether a decorator or a base outside writes the ``__init__`` from the declared fields."""
    for decorator in cls.facts.decorators:
        expr = decorator.func if isinstance(decorator, Call) else decorator
        if (dotted(expr) or "").rpartition(".")[2] in _GENERATORS:
            return True
    return bool(cls.known_outside & _STRUCT_BASES)


def _generated(cls: ClassInfo) -> tuple[Param, ...]:
    """The parameters that the fields of a class and its bases make, base first."""
    fields: dict[str, Param] = {}
    for here in reversed(cls.mro):
        only_keywords = _only_keywords(here)
        for field in here.facts.fields:
            if _is_marker(field):
                only_keywords = True
            elif _is_declared(field):
                param = _param(field, only_keywords)
                if param is not None:
                    fields[field.name] = param
    ordered = sorted(fields.values(), key=lambda param: param.kind == "keyword")
    return tuple(ordered)


def _param(field: Field, only_keywords: bool) -> Param | None:
    options = dict(_options(field.default))
    init, kw_only = options.get("init"), options.get("kw_only")
    if isinstance(init, Const) and init.value is False:
        return None
    if isinstance(kw_only, Const):
        only_keywords = bool(kw_only.value)
    has_default = field.default is not None and (
        not options or bool(options.keys() & {"default", "default_factory", "factory"})
    )
    default: Expr | None = field.default if has_default else None
    return Param(field.name, field.annotation, default, "keyword" if only_keywords else "positional")


def _options(default: Expr | None) -> Iterator[tuple[str, Expr]]:
    """The keywords of a ``field(...)`` that stands where a default would."""
    if isinstance(default, Call):
        name = (dotted(default.func) or "").rpartition(".")[2]
        if name in ("field", "Field", "ib", "attrib"):
            for word in default.keywords:
                if word.name is not None:
                    yield word.name, word.value


def _only_keywords(cls: ClassInfo) -> bool:
    words = list(cls.facts.keywords)
    for decorator in cls.facts.decorators:
        if isinstance(decorator, Call):
            words.extend(decorator.keywords)
    for word in words:
        if word.name == "kw_only" and isinstance(word.value, Const):
            return bool(word.value.value)
    return bool(cls.known_outside & _KEYWORD_ONLY_BASES)


def _is_marker(field: Field) -> bool:
    """``_: KW_ONLY``: what follows is given by keyword."""
    return (
        field.name == "_"
        and field.annotation is not None
        and (dotted(field.annotation) or "").rpartition(".")[2] == "KW_ONLY"
    )


def _is_declared(field: Field) -> bool:
    """Whether a name in a class body is a field: annotated, or ``attr.ib()``."""
    if field.annotation is None:
        return isinstance(field.default, Call) and (dotted(field.default.func) or "") in _DECLARES
    return not _is_class_variable(field.annotation)


def _is_class_variable(annotation: Expr) -> bool:
    base = annotation.value if isinstance(annotation, Item) else annotation
    return isinstance(base, (Name, Attr)) and (dotted(base) or "").rpartition(".")[2] == "ClassVar"
