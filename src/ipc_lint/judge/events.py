"""What a walk notes: the calls, and how objects that are made on the way leave."""

from __future__ import annotations

from msgspec import Struct, field

from ipc_lint.facts import At, Call, Expr
from ipc_lint.judge.values import NOTHING, Kept, Status, Value, merged


class CallEvent(Struct):
    """One call as some way reaches it; the values of all ways are joined."""

    call: Call
    args: list[Value]
    keywords: dict[str, Value]
    receiver: Value
    names: dict[str, Value]
    around: frozenset[str]  # the variables of the loops that the call stands in
    status: dict[At, Status] = field(default_factory=dict)

    @property
    def given(self) -> Value:
        """All arguments together."""
        return merged([*self.args, *self.keywords.values()])

    def value(self, arg: Expr) -> Value:
        """The value of one of the call's own argument expressions."""
        for place, given in enumerate(self.call.args):
            if given is arg:
                return self.args[place]
        for word in self.call.keywords:
            if word.value is arg:
                return self.keywords.get(word.name or "**", NOTHING)
        return NOTHING


class Leave(Struct):
    """An object leaves: ``how`` is "returned", "sent" or "kept"; ``status`` is the field's then."""

    how: str
    status: Status


class Late(Struct, frozen=True):
    """A stamp that comes after copies were made of its object and kept: where they were made."""

    stamp: At
    copied: At | None  # the call; None where an item is taken right there
    kept: Kept


class Flow(Struct):
    """All that a walk found.

    ``origins`` are the expressions that an object's arguments were read from; ``excused`` says of
    some objects why nothing can be proven of them; ``late`` are the stamps that come too late.
    """

    events: dict[At, CallEvent] = field(default_factory=dict)
    leaves: dict[At, list[Leave]] = field(default_factory=dict)
    returned: Value = NOTHING
    origins: dict[At, frozenset[Expr]] = field(default_factory=dict)
    excused: dict[At, str] = field(default_factory=dict)
    stamped: set[At] = field(default_factory=set)  # on some way
    late: dict[At, Late] = field(default_factory=dict)  # by the object

    def excuse(self, made: frozenset[At], why: str) -> None:
        """Nothing can be proven of some objects any more."""
        for at in made:
            self.excused.setdefault(at, why)
