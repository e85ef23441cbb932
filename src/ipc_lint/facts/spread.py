"""Calls that spread a dict, ``f(**known)``: the keywords are written out where its content is known.

Known is a display, ``dict(...)``, a comprehension over written names, and a local that is made of one
of these and then only filled: ``known["key"] = value``, ``known.update(key=value)``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ipc_lint.facts import (
    Assign,
    At,
    Attr,
    Body,
    Call,
    Comp,
    Const,
    Expr,
    For,
    Item,
    Keyword,
    Map,
    Name,
    With,
)
from ipc_lint.facts.walk import bindings, parts, statements

Names: TypeAlias = Callable[[Expr], "tuple[str, ...] | None"]
_Content: TypeAlias = "dict[str, Expr] | None"
_Node = TypeVar("_Node")
# What may be done with a dict that still leaves its keys known.
_HARMLESS = frozenset("get items keys values update setdefault copy".split())


def spread(body: Body, every: Sequence[Expr], params: Iterable[str], names: Names, text: str) -> Body:
    """The statements with every known ``**`` written out; the same ones where there is none.

    ``every`` is every expression in them. ``names`` gives the names that an expression stands for,
    where they are written somewhere; ``text`` is the source of the function.
    """
    spreading = [
        part for part in every if isinstance(part, Call) and any(word.name is None for word in part.keywords)
    ]
    if not spreading:
        return body
    known = _Known(body, every, frozenset(params), names, text)
    written: dict[int, Call] = {}
    for call in spreading:
        keywords = tuple(known.keywords(call))
        if keywords != call.keywords and _is_unambiguous(keywords):
            written[id(call)] = replace(call, keywords=keywords)
    return _rewritten(body, written) if written else body


def _is_unambiguous(keywords: tuple[Keyword, ...]) -> bool:
    names = [word.name for word in keywords if word.name is not None]
    return len(names) == len(set(names))


class _Known:
    """What the dicts of one function hold."""

    def __init__(
        self,
        body: Body,
        every: Sequence[Expr],
        params: frozenset[str],
        names: Names,
        text: str,
    ) -> None:
        self._body = body
        self._every = every
        self._params = params
        self._names = names
        self._text = text
        self._open: set[str] = set()  # dicts that are made of themselves have no known content
        self._values: Mapping[str, tuple[Expr, ...]] = bindings(body, walrus=":=" in text)

    def keywords(self, call: Call) -> Iterator[Keyword]:
        """The keywords of a call, spread where that can be done."""
        for word in call.keywords:
            content = self.content(word.value) if word.name is None else None
            if content is None:
                yield word
            else:
                yield from (Keyword(name, value) for name, value in content.items())

    def content(self, value: Expr) -> _Content:
        """The keys and values of a dict, or None where not all of them are known."""
        match value:
            case Map(keys, values):
                return self._display(keys, values)
            case Call(Name("dict"), args, keywords) if len(args) <= 1:
                return self._merged([*args, *keywords])
            case Comp("dict", (Name(key), item), (loop,)) if loop.target == Name(key) and not loop.tests:
                return self._comprehension(key, item, loop.iter)
            case Name(name) if name not in self._params | self._open:
                values = self._values.get(name, ())
                self._open.add(name)
                try:
                    return self._filled(name, values[0]) if len(values) == 1 else None
                finally:
                    self._open.discard(name)
        return None

    def _display(self, keys: tuple[Expr | None, ...], values: tuple[Expr, ...]) -> _Content:
        found: dict[str, Expr] = {}
        for key, value in zip(keys, values, strict=True):
            match key:
                case Const(str(name)):
                    found[name] = value
                case None:
                    inner = self.content(value)
                    if inner is None:
                        return None
                    found |= inner
                case _:
                    return None
        return found

    def _merged(self, given: Iterable[Expr | Keyword]) -> _Content:
        found: dict[str, Expr] = {}
        for part in given:
            if isinstance(part, Keyword) and part.name is not None:
                found[part.name] = part.value
                continue
            inner = self.content(part.value if isinstance(part, Keyword) else part)
            if inner is None:
                return None
            found |= inner
        return found

    def _comprehension(self, key: str, item: Expr, iterated: Expr) -> _Content:
        """``{name: getattr(x, name) for name in ("a", "b")}``."""
        names = self._names(iterated)
        match item:
            case Call(Name("getattr"), (base, Name(read), *_)) if read == key and names is not None:
                return {name: Attr(base, name) for name in names}
        return None

    def _filled(self, name: str, made: Expr) -> _Content:
        """What a local dict was made with and what was put into it afterwards."""
        found = None if self._leaks(name) else self.content(made)
        for more in (*self._items(name), *self._updates(name)):
            if found is None or more is None:
                return None
            # A None that is there only until, or unless, something better comes says nothing.
            better = {key: value for key, value in more.items() if key not in found or value != Const(None)}
            found = {**found, **better}
        return found

    def _items(self, name: str) -> Iterator[_Content]:
        """``name[key] = value``."""
        for stmt in statements(self._body):
            match stmt:
                case Assign(targets, value) if value is not None:
                    for target in targets:
                        match target:
                            case Item(Name(base), Const(str(key))) if base == name:
                                yield {key: value}
                            case _ if _sets_item(target, name):
                                yield None
                case For(target) if _sets_item(target, name):
                    yield None
                case With(entered) if any(t is not None and _sets_item(t, name) for _, t in entered):
                    yield None

    def _updates(self, name: str) -> Iterator[_Content]:
        """``name.update(...)``, ``name.setdefault(key, value)``."""
        for call in self._every:
            match call:
                case Call(Attr(Name(base), "update"), args, keywords) if base == name:
                    yield self._merged([*args, *keywords])
                case Call(Attr(Name(base), "setdefault"), (Const(str(key)), value), ()) if base == name:
                    yield {key: value}
                case Call(Attr(Name(base), "setdefault")) if base == name:
                    yield None

    def _leaks(self, name: str) -> bool:
        """Whether somebody else may get to see a dict, and fill it."""
        harmless = 0
        every = 0
        for part in self._every:
            match part:
                case Name(here) if here == name:
                    every += 1
                case Item(Name(here), _) if here == name:
                    harmless += 1
                case Call(func, _, keywords):
                    match func:
                        case Attr(Name(here), attr) if here == name and attr in _HARMLESS:
                            harmless += 1
                    harmless += sum(w.name is None and w.value == Name(name) for w in keywords)
        # Once it is bound; and what stands in a function or a class inside can't be followed.
        written = len(re.findall(rf"\b{name}\b", self._text))
        return every - harmless > 1 or written != every


def _sets_item(target: Expr, name: str) -> bool:
    """Whether a target has an item of a dict in it, ``for known["key"] in ...``."""
    return any(isinstance(part, Item) and part.value == Name(name) for part in parts(target))


def _rewritten(node: _Node, written: Mapping[int, Call]) -> _Node:
    """A tree of facts with some calls replaced; what has none in it stays the same object."""
    new = written.get(id(node))
    if new is not None:
        node = new  # type: ignore[assignment]
    if isinstance(node, tuple) and not isinstance(node, At):
        items = tuple(_rewritten(item, written) for item in node)
        changed = any(one is not other for one, other in zip(items, node, strict=True))
        return items if changed else node  # type: ignore[return-value]
    if not isinstance(node, Struct):
        return node
    values = {name: getattr(node, name) for name in node.__struct_fields__}
    more = {name: _rewritten(value, written) for name, value in values.items()}
    more = {name: value for name, value in more.items() if value is not values[name]}
    return replace(node, **more) if more else node
