"""The rules for people: one line each."""

from __future__ import annotations

from ipc_lint.report.context import Docs

_HEAD = ("code", "name", "severity", "fix", "what it reports")


def render(docs: Docs) -> str:
    """A table: code, name, severity, the kind of fix, what it reports."""
    rows = [_HEAD, *((doc.code, doc.name, doc.severity, doc.fix or "-", doc.summary) for doc in docs)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "".join(f"{line.rstrip()}\n" for line in lines)
