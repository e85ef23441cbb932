"""SARIF 2.1.0, as GitHub's code scanning and many viewers take it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from urllib.parse import quote

from ipc_lint import __version__
from ipc_lint.model import Finding, Fix, Problem, Report, RuleDoc, Span
from ipc_lint.report.context import Context, Docs
from ipc_lint.report.order import findings_of, problems_of

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_UNCHECKED = "unchecked"

Object = dict[str, object]


def render(report: Report, context: Context) -> str:
    """One log with one run, in ASCII so that any pipe can carry it."""
    return (
        json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [_run(report, context)]}, indent=2) + "\n"
    )


def _run(report: Report, context: Context) -> Object:
    docs = context.docs()
    places = {doc.code: place for place, doc in enumerate(docs)}
    problems = problems_of(report)
    return {
        "tool": {"driver": _driver(docs)},
        "invocations": [
            {
                "executionSuccessful": not problems,
                "toolExecutionNotifications": [_notification(problem) for problem in problems],
            }
        ],
        "originalUriBaseIds": {
            "SRCROOT": {"description": {"text": "The folder that ipc-lint was started in."}}
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, places, context) for finding in findings_of(report)],
    }


def _driver(docs: Docs) -> Object:
    return {
        "name": "ipc-lint",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(doc) for doc in docs],
        "notifications": [
            {
                "id": _UNCHECKED,
                "name": "UncheckedPath",
                "shortDescription": {"text": "A path that could not be checked."},
                "fullDescription": {
                    "text": "A path that could not be read or parsed: the run is not complete."
                },
                "help": {"text": "Mend or exclude the file. The other files were checked."},
            }
        ],
    }


def _rule(doc: RuleDoc) -> Object:
    rule: Object = {
        "id": doc.code,
        "name": doc.name.title().replace("-", ""),
        "shortDescription": {"text": doc.summary},
        "fullDescription": {"text": doc.summary},
        "help": {"text": doc.text, "markdown": doc.text},
        "defaultConfiguration": {"level": doc.severity},
        "properties": {"tags": ["correctness"], "problem.severity": doc.severity, "precision": "high"},
    }
    if doc.link is not None:
        rule["helpUri"] = doc.link
    return rule


def _result(finding: Finding, places: dict[str, int], context: Context) -> Object:
    region = _region(finding.span)
    snippet = _text(context.sources(finding.path), finding.span)
    if snippet:
        region["snippet"] = {"text": snippet}
    result: Object = {"ruleId": finding.code}
    if finding.code in places:
        result["ruleIndex"] = places[finding.code]
    result |= {
        "level": finding.severity,
        "message": {"text": f"{finding.message}. To mend it: {finding.help}."},
        "locations": [_location(finding.path, region, symbol=finding.symbol)],
        "partialFingerprints": {"ipcLint/v1": finding.fingerprint},
    }
    if finding.suppressed is not None:
        result["suppressions"] = [{"kind": "inSource", "justification": finding.suppressed}]
    if finding.related:
        result["relatedLocations"] = [
            {
                "id": number,
                **_location(related.path, {"startLine": related.line, "startColumn": related.column}),
                "message": {"text": related.message},
            }
            for number, related in enumerate(finding.related)
        ]
    if finding.fix is not None:
        result["fixes"] = [_fix(finding.path, finding.fix)]
    return result


def _location(path: str, region: Object, symbol: str = "") -> Object:
    location: Object = {"physicalLocation": {"artifactLocation": _artifact(path), "region": region}}
    if symbol:
        location["logicalLocations"] = [{"fullyQualifiedName": symbol}]
    return location


def _fix(path: str, fix: Fix) -> Object:
    how = "" if fix.applicability == "safe" else " (unsafe: look whether it is what you mean)"
    replacements = [
        {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.content}} for edit in fix.edits
    ]
    return {
        "description": {"text": f"{fix.message}{how}"},
        "artifactChanges": [{"artifactLocation": _artifact(path), "replacements": replacements}],
        "properties": {"applicability": fix.applicability},
    }


def _notification(problem: Problem) -> Object:
    return {
        "descriptor": {"id": _UNCHECKED, "index": 0},
        "level": "error",
        "message": {"text": problem.message},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(problem.path)}}],
    }


def _artifact(path: str) -> Object:
    """The address of a file: relative to where the run was started, if it lies below that."""
    if os.path.isabs(path) or path.startswith("../"):
        return {"uri": Path(os.path.abspath(path)).as_uri()}
    return {"uri": quote(os.fsencode(path)), "uriBaseId": "SRCROOT"}


def _region(span: Span) -> Object:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _text(lines: list[str], span: Span) -> str:
    """What stands in a span; nothing if the file is shorter than that."""
    if not 0 < span.line <= span.end_line <= len(lines):
        return ""
    whole = lines[span.line - 1 : span.end_line]
    whole[-1] = whole[-1][: span.end_column - 1]  # first the end, which may be on the same line
    whole[0] = whole[0][span.column - 1 :]
    return "\n".join(whole)
