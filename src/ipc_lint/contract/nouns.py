"""The words of the field: carriers, stampers, senders and their gates."""

from __future__ import annotations

from msgspec import Struct

from ipc_lint.facts import At, Expr, Param
from ipc_lint.index.classes import ClassInfo
from ipc_lint.index.functions import FunctionInfo


class FieldPair(Struct, frozen=True):
    """The carried attribute of a single message and its list in step with a batch."""

    single: str
    batch: str

    @property
    def names(self) -> tuple[str, str]:
        """Both names."""
        return self.single, self.batch


class Carrier(Struct, frozen=True):
    """A class that declares the field.

    ``fields`` are those of the pair that it has; ``params`` what its constructor takes (None:
    unknown); ``fills_itself`` says that its ``__init__`` copies the field from an argument, or that
    the field has an address as its default.
    """

    cls: ClassInfo
    fields: frozenset[str]
    params: tuple[Param, ...] | None
    fills_itself: bool

    @property
    def name(self) -> str:
        """The qualified name of the class."""
        return self.cls.name


class Gate(Struct, frozen=True):
    """A test of a parameter's class on the way to a stamp.

    ``positive``: the stamp happens if the test holds. ``exact``: subclasses do not count.
    """

    subject: str
    classes: tuple[Expr, ...]
    positive: bool
    exact: bool
    at: At


class Stamp(Struct, frozen=True):
    """One place where a function sets the field on a parameter.

    ``origin`` is the parameter whose field is copied, None where the function writes an address of
    its own.
    """

    output: str
    origin: str | None
    field: str
    gates: tuple[Gate, ...]


class Stamper(Struct, frozen=True):
    """A function that sets the field on a parameter, itself or through another stamper."""

    function: FunctionInfo
    output: str
    origin: str | None
    stamps: tuple[Stamp, ...]


class Sender(Struct, frozen=True):
    """A stamper that hands the object on.

    ``origin`` is None for one that hands on what it is given without asking for an origin.
    ``through`` is the sender that it forwards to; ``fallback`` says that there is another way to an
    address where no origin is given.
    """

    function: FunctionInfo
    output: str
    origin: str | None
    stamps: tuple[Stamp, ...]
    through: FunctionInfo | None = None
    fallback: bool = False

    @property
    def name(self) -> str:
        """The name without the module's."""
        return self.function.facts.qualname
