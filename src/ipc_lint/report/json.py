"""The stable, documented JSON: every key is a promise."""

from __future__ import annotations

import json

from ipc_lint import __version__
from ipc_lint.model import Edit, Finding, Fix, Problem, Related, Report, Span
from ipc_lint.report.context import Context
from ipc_lint.report.order import findings_of, problems_of


def render(report: Report, context: Context) -> str:
    """The whole report as one JSON object, in ASCII so that any pipe can carry it."""
    whole = {
        "version": __version__,
        "files_checked": report.files_checked,
        "findings": [finding_json(finding) for finding in findings_of(report)],
        "errors": [error_json(problem) for problem in problems_of(report)],
    }
    return json.dumps(whole, indent=2) + "\n"


def finding_json(finding: Finding) -> dict[str, object]:
    """One finding."""
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity,
        "message": finding.message,
        "path": finding.path,
        **span_json(finding.span),
        "symbol": finding.symbol,
        "field": finding.field,
        "carrier": finding.carrier,
        "origin": finding.origin,
        "fix": _fix(finding.fix) if finding.fix else None,
        "related": [_related(related) for related in finding.related],
        "fingerprint": finding.fingerprint,
        "explain": finding.explain,
        "suppressed": finding.suppressed,
    }


def _fix(fix: Fix) -> dict[str, object]:
    return {
        "applicability": fix.applicability,
        "message": fix.message,
        "edits": [_edit(edit) for edit in fix.edits],
    }


def _edit(edit: Edit) -> dict[str, object]:
    return {**span_json(edit.span), "content": edit.content}


def _related(related: Related) -> dict[str, object]:
    return {
        "path": related.path,
        "line": related.line,
        "column": related.column,
        "message": related.message,
    }


def error_json(problem: Problem) -> dict[str, object]:
    """A path that could not be checked."""
    return {"path": problem.path, "message": problem.message}


def span_json(span: Span) -> dict[str, object]:
    """A stretch of a file."""
    return {
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }
