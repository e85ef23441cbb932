"""One definition of a file as a libcst tree, with the way back to offsets in the file.

Parsing a function instead of its file is what makes libcst affordable: milliseconds instead of most
of a second for a file of some thousand lines.
"""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

from ipc_lint.files.source import Source, Unreadable

# An indented definition becomes valid alone by putting this before it, at column 0.
_PREFIX = "if 1:\n"


@dataclass(frozen=True, slots=True)
class Slice:
    """A piece of a file: ``shift`` takes a byte offset in ``wrapper``'s code to one in the file."""

    wrapper: MetadataWrapper
    shift: int


def cut(source: Source, first: int, last: int) -> Slice:
    """The lines ``first`` to ``last`` (1-based, inclusive), which hold whole statements.

    Raises Unreadable where libcst can't parse what Python can.
    """
    text = "".join(source.lines[first - 1 : last])
    prefix = _PREFIX if text[:1] in (" ", "\t", "\f") else ""
    try:
        module = cst.parse_module(prefix + text)
    except (cst.ParserSyntaxError, RecursionError) as error:
        raise Unreadable(f"line {first}: cannot be parsed in detail: {type(error).__name__}") from None
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    return Slice(wrapper, source.offset(first, 0) - len(prefix))


def spans(piece: Slice) -> dict[cst.CSTNode, tuple[int, int]]:
    """Where every node stands, as UTF-8 offsets (start, end) in the file."""
    found = piece.wrapper.resolve(ByteSpanPositionProvider)
    return {
        node: (span.start + piece.shift, span.start + span.length + piece.shift)
        for node, span in found.items()
    }


def statement_around(source: Source, line: int) -> tuple[int, int]:
    """The lines of the top-level statement that holds a line outside every function."""
    for node in source.parse().body:
        first = min([node.lineno, *[d.lineno for d in getattr(node, "decorator_list", ())]])
        if first <= line <= (node.end_lineno or first):
            return first, node.end_lineno or first
    return line, line
