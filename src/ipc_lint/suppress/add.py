"""Suppressions for findings that are to stay: a comment at the end of the statement's first line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from ipc_lint.codes import ABOUT_COMMENTS
from ipc_lint.files.source import Source
from ipc_lint.model import Edit, Finding, Fix, Report, Span
from ipc_lint.proof import COMMENT
from ipc_lint.suppress.edits import span_in
from ipc_lint.suppress.statements import Layout, Statement, layout


def with_ignores(report: Report, source: Callable[[str], Source]) -> Report:
    """The report with a comment that silences each finding in place of its fix."""
    by_path: dict[str, list[Finding]] = {}
    for finding in report.findings:
        by_path.setdefault(finding.path, []).append(finding)
    findings = [new for path, group in by_path.items() for new in _silenced(source(path), group)]
    return replace(report, findings=tuple(findings))


def _silenced(source: Source, findings: Sequence[Finding]) -> list[Finding]:
    """The findings of one file; those in one statement share one comment."""
    known = layout(source)
    codes: dict[Statement, set[str]] = {}
    about: list[tuple[Finding, Statement | None]] = []
    for finding in findings:
        statement = None if finding.code in ABOUT_COMMENTS else known.statement(finding.span.line)
        about.append((finding, statement))
        if statement is not None:
            codes.setdefault(statement, set()).add(finding.code)
    edits = {statement: _edit(source, known, statement, sorted(found)) for statement, found in codes.items()}
    return [
        replace(finding, fix=None)
        if statement is None
        else replace(finding, fix=Fix("Silence it", "safe", (edits[statement],), COMMENT))
        for finding, statement in about
    ]


def _edit(source: Source, known: Layout, statement: Statement, codes: Sequence[str]) -> Edit:
    for comment in known.comments:
        for directive in comment.directives:
            if comment.about == statement and directive.words and not directive.noqa:
                end = directive.words[-1].end
                return Edit(span_in(comment, end, end), "".join(f", {code}" for code in codes))
    # A line may end inside a string, or with a backslash; the last one can always take a comment.
    number = statement.last if statement.first in known.taken else statement.first
    column = len(source.lines[number - 1].rstrip()) + 1
    return Edit(Span(number, column, number, column), f"  # ipc-lint: ignore[{', '.join(codes)}]")
