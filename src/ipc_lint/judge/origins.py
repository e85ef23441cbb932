"""Where a construction copies from: the object that its identity comes from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ipc_lint.contract.infer import Contract
from ipc_lint.contract.nouns import Carrier
from ipc_lint.facts import Expr, Name
from ipc_lint.facts.walk import dotted
from ipc_lint.index.types import Nothing, Type
from ipc_lint.judge.events import CallEvent
from ipc_lint.judge.makings import Making
from ipc_lint.judge.values import Source


@dataclass(frozen=True, slots=True)
class Origin:
    """The object that a construction copies from.

    ``text`` is its source if it is a name or a dotted name; ``carrier`` its class where that is
    known; ``proven`` says that it has the field for all that is known.
    """

    expr: Expr
    text: str | None
    carrier: Carrier | None
    proven: bool
    in_step: bool = False


def origins(contract: Contract, making: Making, event: CallEvent, field: str) -> Iterator[Origin]:
    """The objects that the identity of a made object is read from."""
    for name in sorted(contract.identities):
        given = making.given.get(name)
        if given is None:
            continue
        for source in _ordered(event.value(given).sources):
            if source.name in contract.identities:
                found = judged(contract, source.of, source.type, field)
                if found is not None:
                    yield found


def judged(contract: Contract, expr: Expr, type_: Type, field: str) -> Origin | None:
    """An object as an origin for ``field``, or None if its class is known not to have it."""
    mine = [c for c in contract.carriers_of(type_) if field in c.fields]
    text = dotted(expr)
    if mine:
        return Origin(expr, text, mine[0], True)
    known = [atom for atom in type_ if not isinstance(atom, Nothing)]
    if known:
        return None
    # Nothing is known of its class: a plain name may have the field, anything longer says nothing.
    return Origin(expr, text, None, isinstance(expr, Name))


def copies(making: Making, event: CallEvent, origin: Origin) -> int:
    """How many attributes of the origin are passed on whole under their own names."""
    count = 0
    for name, given in making.given.items():
        if any(s.name == name and s.of == origin.expr for s in event.value(given).sources):
            count += 1
    return count


def _ordered(sources: frozenset[Source]) -> list[Source]:
    return sorted(sources, key=lambda source: (dotted(source.of) or "~", source.name))
