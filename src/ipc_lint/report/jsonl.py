"""One JSON object a line: the findings, then the errors."""

from __future__ import annotations

import json

from ipc_lint.model import Report
from ipc_lint.report.context import Context
from ipc_lint.report.json import error_json, finding_json
from ipc_lint.report.order import findings_of, problems_of


def render(report: Report, context: Context) -> str:
    """What the JSON format has in its lists, with its ``type`` first."""
    objects = [{"type": "finding", **finding_json(finding)} for finding in findings_of(report)]
    objects += [{"type": "error", **error_json(problem)} for problem in problems_of(report)]
    return "".join(f"{json.dumps(whole)}\n" for whole in objects)
