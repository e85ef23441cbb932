"""Where an expression stands, and what the names in it are known to be there."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.project import Module
from ipc_lint.index.types import Type


class Scope(Struct, frozen=True, eq=False):
    """A function (or a module's own statements) and names that are known better than from there.

    ``known`` holds the variables of a comprehension or what a path through the function has found.
    ``signature`` is the function in whose signature the expression stands.
    """

    function: FunctionInfo
    known: Mapping[str, Type] = field(default_factory=dict)
    signature: FunctionInfo | None = None

    @classmethod
    def of_signature(cls, function: FunctionInfo) -> Scope:
        """Where the annotations and the default values of a function are evaluated: around it."""
        return cls(function.enclosing or function.module.toplevel, signature=function)

    @property
    def module(self) -> Module:
        """The module that the function stands in."""
        return self.function.module

    def knowing(self, more: Mapping[str, Type]) -> Scope:
        """The same place with more names known."""
        return Scope(self.function, {**self.known, **more})
