"""What the scout found in one file: immutable, easily handed on, free of syntax nodes.

The facts are a reduced syntax tree: everything that can carry an object (names, attributes, calls,
containers, branches, loops) is kept, everything else is folded into :class:`Other`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct


class Node(Struct, frozen=True, tag=True, tag_field="node", array_like=True):
    """A fact: it never changes, and can be handed from one process to another."""


class At(NamedTuple):
    """A stretch of source: 1-based lines, 0-based UTF-8 byte columns, as :mod:`ast` counts."""

    line: int
    column: int
    end_line: int
    end_column: int


# ---------------------------------------------------------------- expressions


class Name(Node, frozen=True):
    """A variable that is read."""

    id: str


class Attr(Node, frozen=True):
    """``value.name``."""

    value: Expr
    name: str


class Const(Node, frozen=True):
    """None, a bool, an int or a str; every other literal is :data:`OPAQUE`."""

    value: bool | int | str | None


class Keyword(Node, frozen=True):
    """``name=value`` in a call; ``name`` is None for ``**value``."""

    name: str | None
    value: Expr


class Call(Node, frozen=True):
    """A call and where it stands."""

    func: Expr
    args: tuple[Expr, ...]
    keywords: tuple[Keyword, ...]
    at: At


class Star(Node, frozen=True):
    """``*value`` in a call or a display."""

    value: Expr


class Item(Node, frozen=True):
    """``value[key]``."""

    value: Expr
    key: Expr


class Seq(Node, frozen=True):
    """A list, tuple or set display."""

    kind: Literal["list", "tuple", "set"]
    items: tuple[Expr, ...]


class Map(Node, frozen=True):
    """A dict display; a key of None is ``**value``."""

    keys: tuple[Expr | None, ...]
    values: tuple[Expr, ...]


class Choice(Node, frozen=True):
    """``body if test else orelse``."""

    test: Expr
    body: Expr
    orelse: Expr


class Bool(Node, frozen=True):
    """A chain of ``and`` or ``or``."""

    op: Literal["and", "or"]
    values: tuple[Expr, ...]


class Not(Node, frozen=True):
    """``not value``."""

    value: Expr


class Compare(Node, frozen=True):
    """``left op right``; ``op`` is the operator's :mod:`ast` class name (chains: the first)."""

    left: Expr
    op: str
    right: Expr
    at: At


class Bind(Node, frozen=True):
    """``(name := value)``."""

    name: str
    value: Expr


class Loop(Node, frozen=True):
    """One ``for target in iter if tests`` of a comprehension."""

    target: Expr
    iter: Expr
    tests: tuple[Expr, ...]


class Comp(Node, frozen=True):
    """A comprehension; a dict comprehension has two items (key, value)."""

    kind: Literal["list", "set", "dict", "generator"]
    items: tuple[Expr, ...]
    loops: tuple[Loop, ...]


class Lambda(Node, frozen=True):
    """An anonymous function."""

    params: tuple[Param, ...]
    body: Expr


class Yield(Node, frozen=True):
    """``yield value`` or ``yield from value``."""

    value: Expr


class Other(Node, frozen=True):
    """Anything else, reduced to the parts that hold a name or a call."""

    parts: tuple[Expr, ...]


class Imported(Node, frozen=True):
    """What an import binds: a module (``name`` is None) or a name in it; ``level`` counts dots."""

    module: str
    name: str | None
    level: int


class Local(Node, frozen=True):
    """A class or function defined in this file, by its qualified name."""

    qualname: str


Expr: TypeAlias = (
    Name | Attr | Const | Call | Star | Item | Seq | Map | Choice | Bool | Not | Compare | Bind | Comp
    | Lambda | Yield | Other | Imported | Local
)  # fmt: skip

OPAQUE = Other(())

# ----------------------------------------------------------------- statements


class Assign(Node, frozen=True):
    """``targets = value``; an annotated one has its annotation, a bare declaration no value."""

    targets: tuple[Expr, ...]
    value: Expr | None
    annotation: Expr | None
    at: At


class Default(Node, frozen=True):
    """The default value of a parameter, made where the function (by its qualified name) is defined."""

    function: str
    param: str
    value: Expr


class Do(Node, frozen=True):
    """An expression for its effect (also ``del``, ``assert``, ``x += y``, a decorator, a base class).

    ``target`` is the ``x`` of ``x += y``, ``at`` where that stands.
    """

    value: Expr
    target: Expr | None = None
    at: At | None = None


class Return(Node, frozen=True):
    """``return value``."""

    value: Expr | None


class Raise(Node, frozen=True):
    """``raise value``."""

    value: Expr


class Jump(Node, frozen=True):
    """``break`` or ``continue``."""

    kind: Literal["break", "continue"]


class If(Node, frozen=True):
    """``if test: body else: orelse``."""

    test: Expr
    body: Body
    orelse: Body


class For(Node, frozen=True):
    """``for target in iter``."""

    target: Expr
    iter: Expr
    body: Body
    orelse: Body


class While(Node, frozen=True):
    """``while test``."""

    test: Expr
    body: Body
    orelse: Body


class With(Node, frozen=True):
    """``with value as target, ...``; a target may be None."""

    items: tuple[tuple[Expr, Expr | None], ...]
    body: Body


class Handler(Node, frozen=True):
    """``except type as name``."""

    type: Expr | None
    name: str | None
    body: Body


class Try(Node, frozen=True):
    """``try`` with all its branches."""

    body: Body
    handlers: tuple[Handler, ...]
    orelse: Body
    final: Body


class Case(Node, frozen=True):
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


class Match(Node, frozen=True):
    """``match subject``."""

    subject: Expr
    cases: tuple[Case, ...]


Stmt: TypeAlias = Assign | Default | Do | Return | Raise | Jump | If | For | While | With | Try | Match
Body: TypeAlias = "tuple[Stmt, ...]"

# --------------------------------------------------------------- declarations

ParamKind = Literal["positional", "keyword", "args", "kwargs"]


class Param(Node, frozen=True):
    """One parameter of a function."""

    name: str
    annotation: Expr | None
    default: Expr | None
    kind: ParamKind


class Function(Node, frozen=True):
    """A function: ``owner`` is the class it is a method of, ``scope`` the function it stands in.

    ``at`` begins at the line of the first decorator, ``body_line`` is the first of the first statement.
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

    @property
    def key(self) -> str:
        """What nothing else in the file is called: a name may be defined twice."""
        return f"{self.at.line} {self.qualname}"


class AttrAssign(Node, frozen=True):
    """``receiver.name = value`` (or a declaration of it) in the function ``scope``."""

    name: str
    receiver: Expr
    value: Expr | None
    annotation: Expr | None
    scope: str
    at: At


class Field(Node, frozen=True):
    """A name declared or assigned in a class body."""

    name: str
    annotation: Expr | None
    default: Expr | None


class Class(Node, frozen=True):
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


class ModuleFacts(Node, frozen=True):
    """All that is known of one file; ``body`` is what runs on import.

    ``stars`` are the modules that it imports everything from.
    """

    functions: tuple[Function, ...]
    classes: tuple[Class, ...]
    attributes: tuple[AttrAssign, ...]
    body: Body
    stars: tuple[Imported, ...]
