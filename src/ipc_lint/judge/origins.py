"""Where a construction copies from: the object that its identity comes from."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ipc_lint.contract.infer import Contract
from ipc_lint.contract.nouns import Carrier
from ipc_lint.facts import Attr, Call, Expr, Name
from ipc_lint.facts.walk import dotted, parts
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.types import Nothing, Type
from ipc_lint.judge.events import CallEvent
from ipc_lint.judge.makings import Making
from ipc_lint.judge.values import Source


class Origin(Struct, frozen=True):
    """The object that a construction copies from.

    ``text`` is its source if it is a name or a dotted name; ``carrier`` its class where that is
    known; ``proven`` says that it has the field for all that is known, ``certain`` that nothing it
    can be lacks it. ``part``: only an item of its list belongs to what is built;
    ``own``: what is built is of its own kind, by a method of that kind.
    """

    expr: Expr
    text: str | None
    carrier: Carrier | None
    proven: bool
    in_step: bool = False
    certain: bool = False
    part: bool = False
    own: bool = False


def origins(contract: Contract, making: Making, event: CallEvent, field: str) -> Iterator[Origin]:
    """The objects that the identity of a made object is read from."""
    for name in sorted(contract.identities):
        given = making.given.get(name)
        if given is None:
            continue
        for source in _ordered(event.value(given).sources):
            if source.name in contract.identities and not source.part:
                found = judged(contract, source.of, source.type, field)
                if found is not None:
                    yield found


def judged(contract: Contract, expr: Expr, type_: Type, field: str) -> Origin | None:
    """An object as an origin for ``field``, or None if its class is known not to have it."""
    mine = [c for c in contract.carriers_of(type_) if field in c.fields]
    text = dotted(expr)
    known = [atom for atom in type_ if not isinstance(atom, Nothing)]
    if mine:
        return Origin(expr, text, mine[0], True, certain=len(mine) == len(known))
    if known:
        return None
    # Nothing is known of its class: a plain name may have the field, anything longer says nothing.
    return Origin(expr, text, None, isinstance(expr, Name))


def copies(making: Making, event: CallEvent, origin: Origin) -> int:
    """How many attributes of the origin are passed on whole under their own names."""
    count = 0
    for name, given in making.given.items():
        if any(s.name == name and s.of == origin.expr and not s.part for s in event.value(given).sources):
            count += 1
    return count


def _ordered(sources: frozenset[Source]) -> list[Source]:
    return sorted(sources, key=lambda source: (dotted(source.of) or "~", source.name))


def is_at_the_call(origin: Origin, call: Call, function: FunctionInfo) -> bool:
    """Whether the origin's name still means the same object where it would be written.

    It does if the call itself reads from it, or if nothing else is ever bound to the name.
    """
    if any(
        isinstance(part, Attr) and part.value == origin.expr
        for arg in (*call.args, *(word.value for word in call.keywords))
        for part in parts(arg)
    ):
        return True
    root = (origin.text or "").partition(".")[0]
    own = any(param.name == root for param in function.facts.params)
    return len(function.bindings.get(root, ())) + own == 1
