"""Notes, on a walk, the stamps that come after copies were made of their object and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ipc_lint.facts import At, Attr
from ipc_lint.index.types import instances
from ipc_lint.judge.events import CallEvent, Late
from ipc_lint.judge.keeping import Keeping
from ipc_lint.judge.values import Kept, State, Status, Value

if TYPE_CHECKING:
    from ipc_lint.judge.flow import Walker


_ITEM = -1  # in the place of the last line: the token of an item of an object


class Lateness:
    """The notes of one walk."""

    def __init__(self, walker: Walker, keeping: Keeping) -> None:
        self._walker = walker
        self._keeping = keeping
        self._asked = keeping.sets(walker.function)  # for others it makes no difference
        self._whole: dict[At, At] = {}  # what the token of an item is an item of
        self._repaired: set[At] = set()  # whose items are stamped, too

    def called(self, event: CallEvent, state: State) -> None:
        """A call may copy what it is given, or what it is a method of."""
        if not self._asked:
            return
        for value in self._keeping.repaired(event, self._walker.scope(state)):
            self._repair(value.made)
        for expr, kept in self._keeping.given(event.call, self._walker.scope(state)):
            is_receiver = isinstance(event.call.func, Attr) and event.call.func.value is expr
            value = event.receiver if is_receiver else event.value(expr)
            self._copied(value, event.call.at, kept, state)

    def taken(self, value: Value, state: State) -> frozenset[At]:
        """An item is taken from something; the objects that it is or may hold."""
        kept = self._keeping.items_of(value.type) if self._asked else None
        if kept is None:
            return value.made
        self._copied(value, None, kept, state)
        found = {made._replace(end_line=_ITEM): made for made in value.made}
        self._whole |= found
        return frozenset(found)

    def read(self, value: Value, name: str, state: State) -> None:
        """An attribute is read, which may be a property that makes a copy."""
        for cls in instances(value.type) if self._asked else ():
            method = cls.method(name)
            if method in self._keeping.keepers and "cached_property" in method.decorators:
                self._copied(value, None, self._keeping.keepers[method], state)

    def _copied(self, value: Value, at: At | None, kept: Kept, state: State) -> None:
        for made in value.made:
            if made not in self._walker.flow.stamped and state.status.get(made) != Status.SET:
                state.copied.setdefault(made, (at, kept))

    def _repair(self, made: frozenset[At]) -> None:
        """The copies of some objects are thrown away, or get their address themselves."""
        self._repaired |= made
        for token in made:
            self._walker.flow.late.pop(token, None)

    def stamped(self, made: frozenset[At], at: At, state: State) -> None:
        """The field of some objects is set; of items, it is set on the copies themselves."""
        late = self._walker.flow.late
        for token in made:
            whole = self._whole.get(token)
            if whole is not None:
                self._repair(frozenset({whole}))
            elif token in state.copied and token not in self._repaired:
                late.setdefault(token, Late(at, *state.copied[token]))
