"""The report for people: what is wrong, the code, the proof, the cure."""

from __future__ import annotations

from collections.abc import Iterator

from ipc_lint.model import Finding, Related, Report
from ipc_lint.report.context import Context
from ipc_lint.report.frame import frame, shown
from ipc_lint.report.order import findings_of

_RED, _YELLOW, _BLUE, _CYAN, _BOLD = "31;1", "33;1", "34;1", "36;1", "1"


def render(report: Report, context: Context) -> str:
    """A paragraph for each finding, with its source lines."""
    painter = _Painter(context)
    return "\n".join("".join(f"{line}\n" for line in painter.finding(f)) for f in findings_of(report))


class _Painter:
    """The lines of one finding."""

    def __init__(self, context: Context) -> None:
        self._sources = context.sources
        self._colour = context.colour

    def finding(self, finding: Finding) -> Iterator[str]:
        """Header, source, related places, help, fix, where to read more."""
        tint = _RED if finding.severity == "error" else _YELLOW
        place = self._ink(_BOLD, _place(finding.path, finding.span.line, finding.span.column))
        label = self._ink(tint, f"{finding.code} {finding.name}")
        grade = finding.severity if finding.suppressed is None else "suppressed"
        yield f"{place}: {label} [{grade}] {finding.message}"
        rows = frame(self._sources(finding.path), finding.span)
        gutter = max((len(number) for number, _ in rows if number.isdigit()), default=1)
        if rows:
            yield self._row(gutter, "", "")
        for number, text in rows:
            yield self._row(gutter, number, text if number else self._ink(tint, text))
        if rows:
            yield self._row(gutter, "", "")
        for related in finding.related:
            yield from self._related(related, gutter)
        margin = " " * (gutter + 1) + self._ink(_BLUE, "=") + " "
        yield margin + self._ink(_CYAN, "help:") + f" {finding.help}"
        if finding.fix:
            yield margin + self._ink(_CYAN, f"fix ({finding.fix.applicability}):") + f" {finding.fix.message}"
        yield margin + self._ink(_CYAN, "more:") + f" {finding.explain}"

    def _related(self, related: Related, gutter: int) -> Iterator[str]:
        arrow = " " * gutter + self._ink(_BLUE, "-->")
        yield f"{arrow} {_place(related.path, related.line, related.column)}: {related.message}"
        lines = self._sources(related.path)
        if 0 < related.line <= len(lines):
            yield self._row(gutter, "", "  " + shown(lines[related.line - 1]).strip())

    def _row(self, gutter: int, number: str, text: str) -> str:
        if number == "...":
            return self._ink(_BLUE, number)
        return f"{self._ink(_BLUE, f'{number:>{gutter}} |')} {text}".rstrip()

    def _ink(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._colour else text


def _place(path: str, line: int, column: int) -> str:
    return f"{path}:{line}:{column}"
