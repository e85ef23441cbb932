"""What an annotation says of a value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ipc_lint.facts import Attr, Const, Expr, Item, Name, Other, Seq
from ipc_lint.index.scope import Scope
from ipc_lint.index.types import (
    NONE,
    UNKNOWN,
    ClassObject,
    Collection,
    External,
    ExternalInstance,
    Fixed,
    Instance,
    Signature,
    Table,
    Type,
    one,
    union,
)

if TYPE_CHECKING:
    from ipc_lint.index.infer import Inference

_COLLECTIONS = frozenset(
    "List list Sequence MutableSequence Iterable Iterator Collection Set set FrozenSet frozenset Deque deque "
    "AsyncIterator AsyncIterable Generator AsyncGenerator Queue SimpleQueue "
    "AbstractSet".split()
)
_TABLES = frozenset("Dict dict Mapping MutableMapping OrderedDict DefaultDict defaultdict Counter".split())
_TRANSPARENT = frozenset(
    "Optional Union Annotated Final ClassVar Required NotRequired Awaitable Coroutine "
    "InitVar ReadOnly".split()
)
_OPEN = frozenset("Any object Self TypeVar Never NoReturn Protocol".split())


def instances(infer: Inference, annotation: Expr, scope: Scope) -> Iterator[Type]:
    """What a value so annotated may be, part by part."""
    match annotation:
        case Const(None):
            yield NONE
        case Other(parts):  # A | B
            for part in parts:
                yield infer.said(part, scope)
        case Item(value, key):
            yield _generic(infer, value, key, scope)
        case Name() | Attr():
            yield _plain(infer, annotation, scope)


def _plain(infer: Inference, annotation: Expr, scope: Scope) -> Type:
    found: list[Type] = []
    for atom in infer.type_of(annotation, scope):
        match atom:
            case ClassObject(cls):
                found.append(one(Instance(cls)))
            case External(name):
                last = name.rpartition(".")[2]
                if last in _COLLECTIONS:
                    found.append(one(Collection(UNKNOWN)))
                elif last in _TABLES:
                    found.append(one(Table(UNKNOWN, UNKNOWN)))
                elif last == "Self":
                    found.append(_self(infer, scope))
                elif last == "Callable":
                    found.append(one(Signature(None, UNKNOWN)))
                elif last not in _OPEN:
                    found.append(one(ExternalInstance(name)))
    if found or not isinstance(annotation, Name):
        return union(found)
    # `Alias = Union[A, B]`: an alias is an annotation itself.
    values = scope.module.toplevel.bindings.get(annotation.id, ())
    return union(
        infer.said(value, Scope(scope.module.toplevel))
        for value in values
        if isinstance(value, (Item, Other))
    )


def _self(infer: Inference, scope: Scope) -> Type:
    owner = (scope.signature or scope.function).owner
    return UNKNOWN if owner is None else one(Instance(owner))


def _generic(infer: Inference, base: Expr, key: Expr, scope: Scope) -> Type:
    args = key.items if isinstance(key, Seq) else (key,)
    last = base.name if isinstance(base, Attr) else base.id if isinstance(base, Name) else ""
    if last in _COLLECTIONS:
        return one(Collection(infer.said(args[0], scope)))
    if last in _TABLES:
        value = infer.said(args[1], scope) if len(args) > 1 else UNKNOWN
        return one(Table(infer.said(args[0], scope), value))
    if last in ("Tuple", "tuple"):
        if len(args) == 2 and not isinstance(args[1], (Name, Attr, Item, Const)):  # Tuple[X, ...]
            return one(Collection(infer.said(args[0], scope)))
        return one(Fixed(tuple(infer.said(arg, scope) for arg in args)))
    if last in ("Type", "type"):
        made = infer.said(key, scope)
        return frozenset(ClassObject(a.cls) for a in made if isinstance(a, Instance))
    if last == "Callable":
        return _callable(infer, args, scope)
    if last in ("Coroutine", "Awaitable"):
        return infer.said(args[-1], scope)
    if last == "Annotated":
        return infer.said(args[0], scope)
    if last in _TRANSPARENT:
        return union(infer.said(arg, scope) for arg in args)
    return _plain(infer, base, scope)


def _callable(infer: Inference, args: tuple[Expr, ...], scope: Scope) -> Type:
    result = infer.said(args[-1], scope)
    if len(args) == 2 and isinstance(args[0], Seq):
        return one(Signature(tuple(infer.said(arg, scope) for arg in args[0].items), result))
    return one(Signature(None, result))
