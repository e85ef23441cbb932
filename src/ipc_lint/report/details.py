"""What ``--verbose`` says: a line for each thing that was inferred, passed over or decided."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from ipc_lint.model import Report, Role
from ipc_lint.report.order import sites_of
from ipc_lint.report.routes_text import described


def render(report: Report) -> str:
    """First what was inferred, then the files that were passed over, then the sites by place."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: Report) -> Iterator[str]:
    roles = get_args(Role)
    for it in sorted(report.inferred, key=lambda it: (it.field, roles.index(it.kind), it.path, it.line)):
        yield f"{it.path}:{it.line} {it.kind} {it.name} ({it.field}): {it.what}"
    for skipped in report.skipped:
        yield f"{skipped.path}: passed over: {skipped.reason}"
    if report.unparsed:
        yield f"{report.unparsed} of {report.files_checked} files: not parsed: none of the names is in them"
    for site in sites_of(report):
        yield f"{site.path}:{site.span.line}:{site.span.column} {described(site)}"
