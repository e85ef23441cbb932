"""Source lines as a terminal shows them, with carets under the span that is meant."""

from __future__ import annotations

import unicodedata

from ipc_lint.model import Span

_TAB = 4
_HEAD = 3  # lines of a long span that are shown before the gap
_LONGEST = 5  # a span of that many lines is shown whole


def frame(lines: list[str], span: Span) -> list[tuple[str, str]]:
    """(gutter, text) of each row: the span's lines, carets under the first, a gap in a long one."""
    if not 0 < span.line <= len(lines):
        return []
    last = min(_last_line(span), len(lines))
    rows = []
    for number in range(span.line, last + 1):
        if last - span.line >= _LONGEST and span.line + _HEAD <= number < last:
            if number == span.line + _HEAD:
                rows.append(("...", ""))
            continue
        rows.append((str(number), shown(lines[number - 1])))
        if number == span.line:
            rows.append(("", carets(lines[number - 1], span)))
    return rows


def shown(line: str) -> str:
    """The line with tabs expanded and characters that would move the cursor made harmless."""
    return "".join(cell for cell, _ in _cells(line))


def carets(line: str, span: Span) -> str:
    """``^`` below the span's part of its first line, as wide as the terminal draws it."""
    start = span.column - 1
    end = span.end_column - 1 if span.end_line == span.line else len(line.rstrip())
    widths = [width for _, width in _cells(line)]
    return " " * sum(widths[:start]) + "^" * max(sum(widths[start:end]), 1)


def _last_line(span: Span) -> int:
    """The last line that holds something of the span: its end may be the start of a line."""
    return span.end_line - (span.end_column == 1 and span.end_line > span.line)


def _cells(line: str) -> list[tuple[str, int]]:
    """Each character as it is drawn and the columns it takes."""
    cells = []
    at = 0
    for char in line:
        cell, width = _cell(char, at)
        cells.append((cell, width))
        at += width
    return cells


def _cell(char: str, at: int) -> tuple[str, int]:
    if " " <= char <= "~":
        return char, 1
    if char == "\t":
        width = _TAB - at % _TAB
        return " " * width, width
    category = unicodedata.category(char)
    if category in ("Cc", "Cf", "Cs", "Zl", "Zp"):  # control, bidi override, surrogate, line separator
        return "\N{REPLACEMENT CHARACTER}", 1
    if category in ("Mn", "Me"):
        return char, 0
    return char, 2 if unicodedata.east_asian_width(char) in "WF" else 1
