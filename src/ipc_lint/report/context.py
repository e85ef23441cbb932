"""What a format may ask for besides the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from ipc_lint.model import RuleDoc

Sources = Callable[[str], list[str]]
"""From the path of a finding to the lines of that file, without newlines; [] if there are none."""

Docs = Sequence[RuleDoc]


def _no_lines(path: str) -> list[str]:
    return []


def _no_docs() -> Docs:
    return ()


class Context(Struct, frozen=True):
    """The sources, the rules (a function, since they take long to load) and whether to use colours."""

    sources: Sources = _no_lines
    docs: Callable[[], Docs] = _no_docs
    colour: bool = False
