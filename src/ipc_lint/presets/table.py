"""The shape of a preset, and how its entries become facts that are like those of a file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from msgspec import Struct


class ClassEntry(Struct, frozen=True):
    """A carrier: what it declares itself, the base in the same module, or what ``__init__`` takes."""

    module: str
    name: str
    base: str = ""
    fields: tuple[str, ...] = ()
    params: tuple[str, ...] = ()


class SenderEntry(Struct, frozen=True):
    """A method that copies the field from ``origin`` to ``output`` and hands ``output`` on.

    ``writes`` are the classes (module, name) that it may stamp.
    """

    module: str
    owner: str
    name: str
    output: str
    origin: str
    writes: tuple[tuple[str, str], ...]


class Preset(Struct, frozen=True):
    """Everything known of one project."""

    fields: tuple[str, ...]
    classes: tuple[ClassEntry, ...]
    senders: tuple[SenderEntry, ...]

    def stubs(self) -> dict[str, str]:
        """The entries as source, by module: what the scout reads in place of files that are not there."""
        parts: dict[str, list[str]] = {}
        for entry in self.classes:
            parts.setdefault(entry.module, []).extend(_class(entry, self.fields))
        for module, group in groupby(sorted(self.senders, key=lambda s: s.module), key=lambda s: s.module):
            for sender in group:
                parts.setdefault(module, []).extend(_sender(sender, self.fields[0]))
        return {module: "\n".join(lines) + "\n" for module, lines in parts.items()}


def _class(entry: ClassEntry, fields: tuple[str, ...]) -> Iterator[str]:
    yield f"class {entry.name}({entry.base}):"
    for name in entry.fields:
        yield f"    {name}: object = None"
    if entry.params:
        params = [f"{p}=None" if p in fields else p for p in entry.params]
        yield f"    def __init__(self, {', '.join(params)}, **kwargs):"
        yield from (f"        self.{p} = {p}" for p in entry.params if not p.startswith("*"))
    yield "    pass"


def _sender(entry: SenderEntry, field: str) -> Iterator[str]:
    yield from (f"from {module} import {name}" for module, name in entry.writes)
    names = ", ".join(name for _, name in entry.writes)
    yield "from typing import Union"
    yield f"class {entry.owner}:"
    yield f"    def {entry.name}(self, {entry.output}: Union[{names}], {entry.origin}=None):"
    yield f"        {entry.output}.{field} = getattr({entry.origin}, {field!r}, None)"
    yield f"        self.socket.send({entry.output})"
