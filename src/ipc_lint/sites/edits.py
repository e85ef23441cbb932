"""Edits of a call, as text: where a maintainer would put an argument, in the layout that is there.

Nothing is printed from a tree: an edit inserts a few words beside what stands in the file, so every
byte outside it stays what it was. Offsets count the UTF-8 of the decoded text.
"""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst
from msgspec import Struct

from ipc_lint.files.source import Source
from ipc_lint.model import Edit

Spans = Mapping[cst.CSTNode, tuple[int, int]]


class Layout(Struct, frozen=True):
    """A call in its file: the node, where everything stands, the UTF-8 of the whole text."""

    source: Source
    spans: Spans
    call: cst.Call
    text: bytes

    def edit(self, start: int, end: int, content: str) -> Edit:
        """Replace the text between two offsets."""
        return Edit(self.source.span_at(start, end), content)

    def last_kept(self) -> cst.Arg | None:
        """The argument that a new one goes behind: the last one that is no ``**``."""
        kept = [arg for arg in self.call.args if arg.star != "**"]
        return kept[-1] if kept else None


def add_argument(layout: Layout, argument: str) -> Edit | None:
    """Add ``argument`` (a keyword or a positional) behind the last argument that is no ``**``.

    None where that can't be done in place: a bare generator would need brackets of its own.
    """
    call = layout.call
    if not call.args:
        return _first(layout, argument)
    if any(isinstance(a.value, cst.GeneratorExp) and not a.value.lpar for a in call.args):
        return None
    anchor = layout.last_kept()
    if anchor is None:
        start, _ = layout.spans[call.args[0]]
        return layout.edit(start, start, _before_double_star(layout, start, argument))
    return _behind(layout, anchor, argument)


def replace_value(layout: Layout, arg: cst.Arg, value: str) -> Edit:
    """Give an argument another value."""
    start, end = layout.spans[arg.value]
    return layout.edit(start, end, value)


def _first(layout: Layout, argument: str) -> Edit:
    """The only argument goes right behind the opening bracket."""
    _, end = layout.spans[layout.call.func]
    place = layout.text.index(b"(", _behind_brackets(layout, end)) + 1
    return layout.edit(place, place, argument)


def _behind_brackets(layout: Layout, end: int) -> int:
    """The offset behind the closing brackets of a bracketed callee, ``(f)(...)``."""
    for _ in layout.call.func.lpar if isinstance(layout.call.func, cst.BaseExpression) else ():
        if layout.text[end - 1 : end] != b")" or end <= layout.spans[layout.call.func][1]:
            end = layout.text.index(b")", end) + 1
    return end


def _before_double_star(layout: Layout, start: int, argument: str) -> str:
    line = line_start(layout.text, start)
    if layout.text[line:start].strip():
        return f"{argument}, "
    newline = newline_before(layout.text, line)
    return f"{argument},{newline}{layout.text[line:start].decode()}"


def _behind(layout: Layout, anchor: cst.Arg, argument: str) -> Edit:
    text = layout.text
    start, end = layout.spans[anchor]
    comma = layout.spans[anchor.comma][0] if isinstance(anchor.comma, cst.Comma) else None
    line = line_start(text, start)
    indent = text[line:start]
    stands_alone = not indent.strip() and line > layout.spans[layout.call][0]
    if not stands_alone:
        if comma is None:
            return layout.edit(end, end, f", {argument}")
        return layout.edit(comma + 1, comma + 1, f" {argument},")
    newline = newline_before(text, line)
    lead = indent.decode()
    rest = end if comma is None else comma + 1
    tail = rest_of_line(text, rest)
    if comma is not None:
        if tail is not None:
            return layout.edit(tail, tail, f"{lead}{argument},{newline}")
        return layout.edit(rest, rest, f"{newline}{lead}{argument},")
    if tail is not None:
        # The comma goes behind the argument, the new line behind its comment: one edit over both.
        between = text[end:tail].decode()
        return layout.edit(end, tail, f",{between}{lead}{argument}{newline}")
    return layout.edit(end, end, f",{newline}{lead}{argument}")


def line_start(text: bytes, offset: int) -> int:
    """Where the line of an offset begins."""
    return max(text.rfind(b"\n", 0, offset), text.rfind(b"\r", 0, offset)) + 1


def newline_before(text: bytes, line: int) -> str:
    """The newline that ends the line before the one that begins at ``line``."""
    if text[line - 2 : line] == b"\r\n":
        return "\r\n"
    return text[line - 1 : line].decode() or "\n"


def rest_of_line(text: bytes, offset: int) -> int | None:
    """The start of the next line if nothing but a comment stands behind ``offset``, else None."""
    ends = [place for place in (text.find(b"\n", offset), text.find(b"\r", offset)) if place >= 0]
    if not ends:
        return None
    end = min(ends)
    rest = text[offset:end].strip()
    if rest and not rest.startswith(b"#"):
        return None
    return end + (2 if text[end : end + 2] == b"\r\n" else 1)
