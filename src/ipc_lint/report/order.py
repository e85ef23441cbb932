"""The one order of findings and problems in every report."""

from __future__ import annotations

from ipc_lint.model import Finding, Problem, Report


def findings_of(report: Report) -> list[Finding]:
    """The findings by path, line, column, code."""
    return sorted(report.findings, key=lambda f: (f.path, f.span, f.code, f.message))


def problems_of(report: Report) -> list[Problem]:
    """The problems by path and message."""
    return sorted(report.problems, key=lambda problem: (problem.path, problem.message))
