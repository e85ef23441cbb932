"""What the scout found in one file: immutable, picklable, free of syntax nodes.

The facts are a reduced syntax tree: everything that can carry an object (names, attributes, calls,
containers, branches, loops) is kept, everything else is folded into :class:`Other`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias


class At(NamedTuple):
    """A stretch of source: 1-based lines, 0-based UTF-8 byte columns, as :mod:`ast` counts."""

    line: int
    column: int
    end_line: int
    end_column: int


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Name:
    """A variable that is read."""

    id: str


@dataclass(frozen=True, slots=True)
class Attr:
    """``value.name``."""

    value: Expr
    name: str


@dataclass(frozen=True, slots=True)
class Const:
    """None, a bool, an int or a str; every other literal is :data:`OPAQUE`."""

    value: bool | int | str | None


@dataclass(frozen=True, slots=True)
class Keyword:
    """``name=value`` in a call; ``name`` is None for ``**value``."""

    name: str | None
    value: Expr


@dataclass(frozen=True, slots=True)
class Call:
    """A call and where it stands."""

    func: Expr
    args: tuple[Expr, ...]
    keywords: tuple[Keyword, ...]
    at: At


@dataclass(frozen=True, slots=True)
class Star:
    """``*value`` in a call or a display."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Item:
    """``value[key]``."""

    value: Expr
    key: Expr


@dataclass(frozen=True, slots=True)
class Seq:
    """A list, tuple or set display."""

    kind: Literal["list", "tuple", "set"]
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Map:
    """A dict display; a key of None is ``**value``."""

    keys: tuple[Expr | None, ...]
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """``body if test else orelse``."""

    test: Expr
    body: Expr
    orelse: Expr


@dataclass(frozen=True, slots=True)
class Bool:
    """A chain of ``and`` or ``or``."""

    op: Literal["and", "or"]
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """``not value``."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Compare:
    """``left op right``; ``op`` is the operator's :mod:`ast` class name (chains: the first)."""

    left: Expr
    op: str
    right: Expr
    at: At


@dataclass(frozen=True, slots=True)
class Bind:
    """``(name := value)``."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Loop:
    """One ``for target in iter if tests`` of a comprehension."""

    target: Expr
    iter: Expr
    tests: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Comp:
    """A comprehension; a dict comprehension has two items (key, value)."""

    kind: Literal["list", "set", "dict", "generator"]
    items: tuple[Expr, ...]
    loops: tuple[Loop, ...]


@dataclass(frozen=True, slots=True)
class Lambda:
    """An anonymous function."""

    params: tuple[Param, ...]
    body: Expr


@dataclass(frozen=True, slots=True)
class Yield:
    """``yield value`` or ``yield from value``."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Other:
    """Anything else, reduced to the parts that hold a name or a call."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import binds: a module (``name`` is None) or a name in it; ``level`` counts dots."""

    module: str
    name: str | None
    level: int


@dataclass(frozen=True, slots=True)
class Local:
    """A class or function defined in this file, by its qualified name."""

    qualname: str


Expr: TypeAlias = (
    Name | Attr | Const | Call | Star | Item | Seq | Map | Choice | Bool | Not | Compare | Bind | Comp
    | Lambda | Yield | Other | Imported | Local
)  # fmt: skip

OPAQUE = Other(())

# ----------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Assign:
    """``targets = value``; an annotated one has its annotation, a bare declaration no value."""

    targets: tuple[Expr, ...]
    value: Expr | None
    annotation: Expr | None
    at: At


@dataclass(frozen=True, slots=True)
class Default:
    """The default value of a parameter, made where the function (by its qualified name) is defined."""

    function: str
    param: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Do:
    """An expression for its effect (also ``del``, ``assert``, ``x += y``, a decorator, a base class).

    ``target`` is the ``x`` of ``x += y``, ``at`` where that stands.
    """

    value: Expr
    target: Expr | None = None
    at: At | None = None


@dataclass(frozen=True, slots=True)
class Return:
    """``return value``."""

    value: Expr | None


@dataclass(frozen=True, slots=True)
class Raise:
    """``raise value``."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Jump:
    """``break`` or ``continue``."""

    kind: Literal["break", "continue"]


@dataclass(frozen=True, slots=True)
class If:
    """``if test: body else: orelse``."""

    test: Expr
    body: Body
    orelse: Body


@dataclass(frozen=True, slots=True)
class For:
    """``for target in iter``."""

    target: Expr
    iter: Expr
    body: Body
    orelse: Body


@dataclass(frozen=True, slots=True)
class While:
    """``while test``."""

    test: Expr
    body: Body
    orelse: Body


@dataclass(frozen=True, slots=True)
class With:
    """``with value as target, ...``; a target may be None."""

    items: tuple[tuple[Expr, Expr | None], ...]
    body: Body


@dataclass(frozen=True, slots=True)
class Handler:
    """``except type as name``."""

    type: Expr | None
    name: str | None
    body: Body


@dataclass(frozen=True, slots=True)
class Try:
    """``try`` with all its branches."""

    body: Body
    handlers: tuple[Handler, ...]
    orelse: Body
    final: Body


@dataclass(frozen=True, slots=True)
class Case:
    """One ``case``: the classes its pattern admits, the names it binds, its guard.

    ``classes`` is None when the pattern is no class test; ``pure`` says that it tests nothing else.
    ``binds`` gives each name the attribute of the subject that it takes, None for the whole or
    for what can't be told. ``at`` is where the pattern stands.
    """

    classes: tuple[Expr, ...] | None
    pure: bool
    binds: tuple[tuple[str, str | None], ...]
    guard: Expr | None
    body: Body
    at: At
    catches_all: bool


@dataclass(frozen=True, slots=True)
class Match:
    """``match subject``."""

    subject: Expr
    cases: tuple[Case, ...]


Stmt: TypeAlias = Assign | Default | Do | Return | Raise | Jump | If | For | While | With | Try | Match
Body: TypeAlias = "tuple[Stmt, ...]"

# --------------------------------------------------------------- declarations

ParamKind = Literal["positional", "keyword", "args", "kwargs"]


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a function."""

    name: str
    annotation: Expr | None
    default: Expr | None
    kind: ParamKind


@dataclass(frozen=True, slots=True)
class Function:
    """A function: ``owner`` is the class it is a method of, ``scope`` the function it stands in.

    ``at`` begins at the line of the first decorator, ``body_line`` is that of the first statement.
    The statements are lowered on demand.
    """

    qualname: str
    owner: str | None
    scope: str | None
    params: tuple[Param, ...]
    returns: Expr | None
    decorators: tuple[Expr, ...]
    at: At
    body_line: int


@dataclass(frozen=True, slots=True)
class AttrAssign:
    """``receiver.name = value`` (or a declaration of it) in the function ``scope``."""

    name: str
    receiver: Expr
    value: Expr | None
    annotation: Expr | None
    scope: str
    at: At


@dataclass(frozen=True, slots=True)
class Field:
    """A name declared or assigned in a class body."""

    name: str
    annotation: Expr | None
    default: Expr | None


@dataclass(frozen=True, slots=True)
class Class:
    """A class: ``owner`` is the class around it, ``scope`` the function around it."""

    qualname: str
    owner: str | None
    scope: str | None
    bases: tuple[Expr, ...]
    keywords: tuple[Keyword, ...]
    decorators: tuple[Expr, ...]
    fields: tuple[Field, ...]
    members: tuple[str, ...]
    at: At


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """All that is known of one file; ``body`` is what runs on import.

    ``stars`` are the modules that it imports everything from.
    """

    path: str
    functions: tuple[Function, ...]
    classes: tuple[Class, ...]
    attributes: tuple[AttrAssign, ...]
    bindings: dict[str, tuple[Expr, ...]]
    body: Body
    stars: tuple[Imported, ...]
