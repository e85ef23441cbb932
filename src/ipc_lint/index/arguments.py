"""Which argument of a call goes to which parameter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ipc_lint.facts import Call, Expr, Keyword, Param, Star
from ipc_lint.index.functions import FunctionInfo


class Matched(NamedTuple):
    """The arguments by the name of their parameter.

    ``open`` says that a ``*`` or ``**`` may hold more; ``extra`` are keywords for ``**kwargs``.
    """

    by_name: dict[str, Expr]
    open: bool
    extra: dict[str, Expr]


def matched(function: FunctionInfo, call: Call, *, bound: bool) -> Matched | None:
    """The arguments of a call of a function, or None if the call does not fit it.

    ``bound``: the first parameter is already taken by the receiver.
    """
    return match_params(function.params_for(bound=bound), call.args, call.keywords)


def match_params(
    params: Sequence[Param], args: Sequence[Expr], keywords: Sequence[Keyword]
) -> Matched | None:
    """The arguments by parameter, or None if they do not fit."""
    positional = [p for p in params if p.kind == "positional"]
    names = {p.name for p in params if p.kind in ("positional", "keyword")}
    takes_args = any(p.kind == "args" for p in params)
    takes_kwargs = any(p.kind == "kwargs" for p in params)
    found: dict[str, Expr] = {}
    extra: dict[str, Expr] = {}
    is_open = False
    for place, arg in enumerate(args):
        if isinstance(arg, Star):
            is_open = True
            break
        if place < len(positional):
            found[positional[place].name] = arg
        elif not takes_args:
            return None
    for word in keywords:
        if word.name is None:
            is_open = True
        elif word.name in names:
            if word.name in found:
                return None
            found[word.name] = word.value
        elif takes_kwargs:
            extra[word.name] = word.value
        else:
            return None
    required = [p for p in params if p.kind in ("positional", "keyword") and p.default is None]
    if not is_open and any(p.name not in found for p in required):
        return None
    return Matched(found, is_open, extra)
