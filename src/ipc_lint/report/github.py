"""Annotations of GitHub Actions: a workflow command for each finding."""

from __future__ import annotations

from ipc_lint.model import Finding, Problem, Report
from ipc_lint.report.context import Context
from ipc_lint.report.order import findings_of, problems_of


def render(report: Report, context: Context) -> str:
    """The findings, then the paths that could not be checked: ``::error file=...::message``."""
    lines = [_finding(finding) for finding in findings_of(report)]
    lines += [_problem(problem) for problem in problems_of(report)]
    return "".join(f"{line}\n" for line in lines)


def _finding(finding: Finding) -> str:
    span = finding.span
    place: dict[str, object] = {"file": finding.path, "line": span.line, "endLine": span.end_line}
    if span.line == span.end_line:  # GitHub takes columns only where all is on one line
        place |= {"col": span.column, "endColumn": span.end_column}
    place["title"] = f"{finding.code} {finding.name}"
    return _command(finding.severity, place, f"{finding.message} ({finding.explain})")


def _problem(problem: Problem) -> str:
    return _command("error", {"file": problem.path, "title": "could not be checked"}, problem.message)


def _command(name: str, properties: dict[str, object], message: str) -> str:
    given = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{name} {given}::{_data(message)}"


def _data(text: str) -> str:
    """A message: what would end the command is escaped; the percent sign first, which escapes."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """A property: what would end it, too."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
