"""The one order of findings, problems and sites in every report."""

from __future__ import annotations

from typing import get_args

from ipc_lint.model import Finding, Kind, Outcome, Problem, Report, SiteRecord

OUTCOMES = tuple(outcome.__name__.lower() for outcome in get_args(Outcome))


def findings_of(report: Report) -> list[Finding]:
    """The findings by path, line, column, code."""
    return sorted(report.findings, key=lambda f: (f.path, f.span, f.code, f.message))


def problems_of(report: Report) -> list[Problem]:
    """The problems by path and message."""
    return sorted(report.problems, key=lambda problem: (problem.path, problem.message))


def sites_of(report: Report) -> list[SiteRecord]:
    """The sites by path, place, kind and what they are about, each once."""
    return sorted(
        set(report.sites),
        key=lambda s: (s.path, s.span, get_args(Kind).index(s.kind), s.field, s.subject, s.outcome.reason),
    )


def totals_of(report: Report) -> dict[str, dict[str, int]]:
    """How many sites of each kind had each outcome."""
    totals = {kind: dict.fromkeys(OUTCOMES, 0) for kind in get_args(Kind)}
    for site in sites_of(report):
        totals[site.kind][site.what] += 1
    return totals
