"""Which calls deserve a look: those that are given an identity, whatever the callee is called."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from ipc_lint.contract.infer import Contract
from ipc_lint.facts import Attr, Call, Const, Expr, Name
from ipc_lint.facts.walk import parts
from ipc_lint.facts.words import ends_of, utf8
from ipc_lint.index.callers import all_calls
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.project import Module

_QUOTES = (b"'", b'"')
_GIVEN = re.compile(rb"\s*=[^=]")
_CASE = re.compile(rb"[\r\n][ \t\f]*case\b")


def nominated(
    contract: Contract, asked: Collection[str] | None, *, everything: bool
) -> Iterator[tuple[FunctionInfo, list[Call]]]:
    """The functions with calls that may build a carrier from something, and those calls.

    ``asked`` are the paths of the files to look at, None for all of them.
    ``everything``: all calls of all functions, for whoever wants every construction listed.
    """
    words = sorted(contract.identities)
    if not words and not everything:
        return
    needles = list(map(utf8, words))
    mentioning = {function for word in words for function in contract.project.mentions(word)}
    for module in contract.project.modules.values():
        if asked is not None and module.path not in asked:
            continue
        for function in (*module.functions.values(), module.toplevel):
            if everything or (function in mentioning and _may_copy(needles, function.data)):
                reader = _Reader(function, contract.identities)
                calls = [call for call in all_calls(function) if everything or reader.fits(call)]
                if calls:
                    yield function, sorted(calls, key=lambda call: call.at)
        if everything:
            yield from _declared(module)


def _may_copy(words: Iterable[bytes], data: bytes) -> bool:
    """Whether a source may read one of some identities: `rid=uuid4().hex` is nobody's."""
    for word in words:
        for end in ends_of(word, data):
            start = end - len(word)
            before = data[start - 1 : start]
            if before == b"." or (before in _QUOTES and data[end : end + 1] in _QUOTES):
                return True
            if _GIVEN.match(data, end) and b"**" in data:
                return True
    return b"case" in data and _CASE.search(data) is not None  # a pattern reads it, too


def _declared(module: Module) -> Iterator[tuple[FunctionInfo, list[Call]]]:
    """The calls that stand in no body: in decorators, defaults, and what a class body assigns."""
    for function in module.functions.values():
        defaults = [param.default for param in function.facts.params]
        yield function.enclosing or module.toplevel, _calls_in(*function.facts.decorators, *defaults)
    for cls in module.classes.values():
        values = [*cls.facts.decorators, *[field.default for field in cls.facts.fields]]
        yield module.functions.get(cls.facts.scope or "", module.toplevel), _calls_in(*values)


def _calls_in(*exprs: Expr | None) -> list[Call]:
    return [part for expr in exprs if expr is not None for part in parts(expr) if isinstance(part, Call)]


class _Reader:
    """Which expressions of a function are read from an attribute of some name; names are asked once."""

    def __init__(self, function: FunctionInfo, names: frozenset[str]) -> None:
        self._function = function
        self._names = names
        self._known: dict[tuple[str, int], bool] = {}

    def fits(self, call: Call) -> bool:
        """Whether a call is given an identity: by its keyword, or read from something."""
        if any(word.name in self._names for word in call.keywords):
            return True
        return any(self._reads(arg, 2) for arg in call.args)

    def _reads(self, expr: Expr, hops: int) -> bool:
        for part in parts(expr):
            match part:
                case Attr(_, name) if name in self._names:
                    return True
                case Const(str(text)) if text in self._names:
                    return True
                case Name(name) if hops and self._is_read(name, hops - 1):
                    return True
        return False

    def _is_read(self, name: str, hops: int) -> bool:
        key = name, hops
        if key not in self._known:
            values = self._function.bindings.get(name, ())
            self._known[key] = any(self._reads(value, hops) for value in values)
        return self._known[key]
