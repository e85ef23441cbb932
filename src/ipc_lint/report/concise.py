"""One line a finding, as editors and grep like it."""

from __future__ import annotations

from ipc_lint.model import Finding, Report
from ipc_lint.report.context import Context
from ipc_lint.report.order import findings_of


def render(report: Report, context: Context) -> str:
    """``path:line:column: CODE message`` for each finding."""
    return "".join(map(_line, findings_of(report)))


def _line(finding: Finding) -> str:
    span = finding.span
    mark = "" if finding.suppressed is None else "[suppressed] "
    return f"{finding.path}:{span.line}:{span.column}: {finding.code} {mark}{finding.message}\n"
