"""What a path through a function knows: values, the objects made on the way, their field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum

from msgspec import Struct, field

from ipc_lint.facts import At, Call, Expr
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.types import UNKNOWN, Type


class Status(IntEnum):
    """Whether an object has the field; of two paths the lower one counts."""

    UNSET = 0
    UNKNOWN = 1
    SET = 2


class Source(Struct, frozen=True):
    """A value that was read as ``of.name``; ``type`` is what ``of`` may be there.

    ``part`` says that it is an item of the attribute and not the whole.
    """

    of: Expr
    name: str
    type: Type
    part: bool = False


class Value(Struct, frozen=True):
    """What an expression gives: its type, the objects made here that it is or holds, its sources."""

    type: Type = UNKNOWN
    made: frozenset[At] = frozenset()
    sources: frozenset[Source] = frozenset()

    def __or__(self, other: Value) -> Value:
        return Value(self.type | other.type, self.made | other.made, self.sources | other.sources)


NOTHING = Value()


def merged(values: Iterable[Value]) -> Value:
    """Whatever any of the values may be."""
    found = NOTHING
    for value in values:
        found = found | value
    return found


class Kept(Struct, frozen=True):
    """A place where a copy is made that is kept."""

    function: FunctionInfo
    call: Call


class State(Struct):
    """The variables, and the objects made so far (by the place of the call that makes them)."""

    names: dict[str, Value] = field(default_factory=dict)
    status: dict[At, Status] = field(default_factory=dict)
    escaped: set[At] = field(default_factory=set)
    bare: frozenset[Expr] = frozenset()  # objects that are known to have no field to copy
    copied: dict[At, tuple[At | None, Kept]] = field(default_factory=dict)  # where copies were made and kept

    def copy(self) -> State:
        """The same knowledge, to go another way with."""
        return State(dict(self.names), dict(self.status), set(self.escaped), self.bare, dict(self.copied))

    def types(self) -> Mapping[str, Type]:
        """What the variables may be."""
        return {name: value.type for name, value in self.names.items()}


def join(states: Iterable[State | None]) -> State | None:
    """What is known where several ways meet; None: no way leads there."""
    found: State | None = None
    for state in states:
        if state is None:
            continue
        if found is None:
            found = state.copy()
            continue
        for name, value in state.names.items():
            mine = found.names.get(name)
            found.names[name] = value if mine is None else mine | value
        found.escaped = _escaped(found, state)
        for at, status in state.status.items():
            found.status[at] = min(status, found.status.get(at, Status.SET))
        found.bare &= state.bare
        found.copied |= state.copied
    return found


def _escaped(one: State, other: State) -> set[At]:
    """What others may see after two ways meet.

    An object that others got to see only on the way on which it has its field is not held against
    the other way, where nobody sees it.
    """
    both = one.escaped & other.escaped
    apart = set()
    for mine, theirs in ((one, other), (other, one)):
        for at in mine.escaped - both:
            fine_here = mine.status.get(at) == Status.SET
            if not (fine_here and theirs.status.get(at, Status.SET) != Status.SET):
                apart.add(at)
    return both | apart
