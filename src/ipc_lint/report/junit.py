"""JUnit's XML: a suite for each file, a failed case for each finding."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from ipc_lint.model import Finding, Problem, Report
from ipc_lint.report.context import Context
from ipc_lint.report.order import findings_of, problems_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

# All that XML 1.0 cannot hold, however it is escaped.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report, context: Context) -> str:
    """The whole report; a clean run has one case that passed, as an empty one counts as a failure."""
    from xml.etree import ElementTree as Tree  # 20 ms, for this format alone

    root = Tree.Element("testsuites", name="ipc-lint")
    for path, group in groupby(findings_of(report), key=lambda finding: finding.path):
        findings = list(group)
        suite = _suite(root, path, len(findings), failures=len(findings))
        for finding in findings:
            _finding(suite, finding)
    for problem in problems_of(report):
        _problem(_suite(root, problem.path, 1, errors=1), problem)
    if not len(root):
        _case(_suite(root, "ipc-lint", 1), "ipc-lint", f"{report.files_checked} files checked")
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in root)))
    Tree.indent(root)
    body = Tree.tostring(root, encoding="unicode")
    # Whatever the locale of stdout is: ASCII is UTF-8, too.
    ascii_only = body.encode("ascii", "xmlcharrefreplace").decode("ascii")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ascii_only}\n'


def _suite(root: Element, name: str, tests: int, failures: int = 0, errors: int = 0) -> Element:
    counts = {"tests": str(tests), "failures": str(failures), "errors": str(errors)}
    return _below(root, "testsuite", name=name, **counts)


def _finding(suite: Element, finding: Finding) -> None:
    span = finding.span
    place = f"{finding.path}:{span.line}:{span.column}"
    case = _case(suite, finding.path, f"{finding.code} {finding.name} {span.line}:{span.column}")
    case.set("file", _clean(finding.path))
    case.set("line", str(span.line))
    failure = _below(case, "failure", type=finding.severity, message=finding.message)
    lines = [f"{place}: {finding.code} {finding.message}", f"help: {finding.help}"]
    lines += [f"{related.path}:{related.line}: {related.message}" for related in finding.related]
    failure.text = _clean("\n".join([*lines, f"more: {finding.explain}"]))


def _problem(suite: Element, problem: Problem) -> None:
    case = _case(suite, problem.path, "could be checked")
    case.set("file", _clean(problem.path))
    _below(case, "error", type="unchecked", message=problem.message)


def _case(suite: Element, classname: str, name: str) -> Element:
    return _below(suite, "testcase", classname=classname, name=name)


def _below(parent: Element, tag: str, **attributes: str) -> Element:
    from xml.etree.ElementTree import SubElement

    return SubElement(parent, tag, {key: _clean(value) for key, value in attributes.items()})


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
