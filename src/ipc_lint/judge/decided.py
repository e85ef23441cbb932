"""A verdict in plain words: all that whoever locates it and speaks of it has to know.

It refers to nothing of the index, so that it can be handed to another process.
"""

from __future__ import annotations

from msgspec import Struct

from ipc_lint.facts import At
from ipc_lint.judge.verdicts import Verdict, Witness
from ipc_lint.model import Kind, Outcome


class Proof(Struct, frozen=True):
    """A place that proves a fault; ``column`` counts code points from 1, ``here`` is the same function."""

    path: str
    at: At
    column: int
    message: str
    here: bool


class Decided(Struct, frozen=True):
    """One site and what becomes of the field there.

    ``lines`` are those of the function around it, None outside of every function. ``carrier`` is the
    qualified name of the class, ``taken`` are the names that a gate's function uses. For the others see
    :class:`Verdict`.
    """

    kind: Kind
    path: str
    symbol: str
    lines: tuple[int, int] | None
    at: At
    subject: str
    outcome: Outcome
    field: str
    code: str | None
    carrier: str | None
    origin: str | None
    safe: bool
    proofs: tuple[Proof, ...]
    parameter: str
    place: int
    takes: bool
    in_step: bool
    later: str
    taken: frozenset[str]

    @property
    def short(self) -> str:
        """The carrier's name without its module."""
        return (self.carrier or "").rpartition(".")[2]


def decided(verdict: Verdict) -> Decided:
    """A verdict without the index behind it."""
    function = verdict.function
    at = function.facts.at
    is_faulty_gate = verdict.kind == "gate" and verdict.code is not None
    names = {*function.bindings, *(param.name for param in function.facts.params)} if is_faulty_gate else ()
    return Decided(
        kind=verdict.kind,
        path=function.module.path,
        symbol=function.facts.qualname,
        lines=None if function is function.module.toplevel else (at.line, at.end_line),
        at=verdict.at,
        subject=verdict.subject,
        outcome=verdict.outcome,
        field=verdict.field,
        code=verdict.code,
        carrier=None if verdict.carrier is None else verdict.carrier.name,
        origin=verdict.origin,
        safe=verdict.safe,
        proofs=tuple(_proof(witness, verdict) for witness in verdict.witnesses),
        parameter=verdict.parameter,
        place=verdict.place,
        takes=verdict.takes,
        in_step=verdict.in_step,
        later=verdict.later,
        taken=frozenset(names),
    )


def _proof(witness: Witness, verdict: Verdict) -> Proof:
    column = witness.at.column + 1
    lines = witness.function.module.lines
    if witness.at.line <= len(lines):
        before = lines[witness.at.line - 1].encode()[: witness.at.column]
        column = len(before.decode("utf-8", "replace")) + 1
    here = witness.function is verdict.function
    return Proof(witness.function.module.path, witness.at, column, witness.message, here)
