"""What was decided of a site, before a visitor has located it in the source."""

from __future__ import annotations

from msgspec import Struct

from ipc_lint.contract.nouns import Carrier
from ipc_lint.facts import At, Call
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.model import Kind, Outcome


class Witness(Struct, frozen=True):
    """A place that proves a fault."""

    function: FunctionInfo
    at: At
    message: str


class Verdict(Struct, frozen=True):
    """One site and what becomes of the field there.

    ``code`` names the fault if there is one. ``origin`` is the source of the object that has the
    field, where it can be written down; ``safe`` says that reading the field from it can't fail.
    """

    kind: Kind
    function: FunctionInfo
    at: At
    subject: str
    outcome: Outcome
    field: str
    code: str | None = None
    carrier: Carrier | None = None
    origin: str | None = None
    safe: bool = False
    witnesses: tuple[Witness, ...] = ()
    parameter: str = ""
    place: int = -1  # of a sender's origin, or a carrier's field, among the positional arguments
    call: Call | None = None
    takes: bool = True  # the call takes the field as a keyword
    in_step: bool = False
    later: str = ""  # the stamper that may still set the field
