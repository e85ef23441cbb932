"""The code quality report of GitLab: a list of issues."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator

from ipc_lint.model import Finding, Problem, Report
from ipc_lint.report.context import Context
from ipc_lint.report.order import findings_of, problems_of

_SEVERITIES = {"error": "major", "warning": "minor"}


def render(report: Report, context: Context) -> str:
    """One JSON array: the findings, then the paths that could not be checked."""
    return json.dumps([*_findings(report), *map(_problem, problems_of(report))], indent=2) + "\n"


def _findings(report: Report) -> Iterator[dict[str, object]]:
    seen: Counter[tuple[str, str]] = Counter()
    for finding in findings_of(report):
        place = finding.path, finding.fingerprint
        yield _finding(finding, _unique(*place, str(seen[place])))
        seen[place] += 1


def _finding(finding: Finding, fingerprint: str) -> dict[str, object]:
    return {
        "description": f"{finding.message} ({finding.explain})",
        "check_name": finding.code,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": finding.path,
            "lines": {"begin": finding.span.line, "end": finding.span.end_line},
        },
    }


def _problem(problem: Problem) -> dict[str, object]:
    return {
        "description": f"could not be checked: {problem.message}",
        "check_name": "unchecked",
        "fingerprint": _unique(problem.path, problem.message),
        "severity": "critical",
        "location": {"path": problem.path, "lines": {"begin": 1}},
    }


def _unique(*parts: str) -> str:
    """GitLab shows only one issue of a fingerprint: equal statements have to differ in theirs."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
