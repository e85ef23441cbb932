"""Every site of the field as JSON: every key is a promise."""

from __future__ import annotations

import json

from ipc_lint import __version__
from ipc_lint.model import Report, SiteRecord
from ipc_lint.report.json import error_json, span_json
from ipc_lint.report.order import problems_of, sites_of, totals_of


def render(report: Report, colour: bool) -> str:
    """All sites and their totals as one JSON object, in ASCII so that any pipe can carry it."""
    whole = {
        "version": __version__,
        "sites": [_site(site) for site in sites_of(report)],
        "totals": totals_of(report),
        "errors": [error_json(problem) for problem in problems_of(report)],
    }
    return json.dumps(whole, indent=2) + "\n"


def _site(site: SiteRecord) -> dict[str, object]:
    return {
        "kind": site.kind,
        "path": site.path,
        **span_json(site.span),
        "symbol": site.symbol,
        "subject": site.subject,
        "field": site.field,
        "outcome": site.what,
        "reason": site.outcome.reason,
        "code": site.code,
    }
