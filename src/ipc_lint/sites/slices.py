"""One definition of a file as a libcst tree, with the way back to offsets in the file.

Parsing a function instead of its file is what makes libcst affordable: milliseconds instead of most
of a second for a file of some thousand lines.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper
from msgspec import Struct

from ipc_lint.files.source import Source, Unreadable

# An indented definition becomes valid alone by putting this before it, at column 0.
_PREFIX = "if 1:\n"


class Slice(Struct, frozen=True):
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
        printed = module.code
    except (cst.ParserSyntaxError, RecursionError) as error:
        raise _uncut(first, type(error).__name__) from None
    if printed.rstrip("\r\n") != (prefix + text).rstrip("\r\n"):
        # A form feed in an indentation is dropped: every position behind it would be wrong.
        raise _uncut(first, "not every character is kept")
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    return Slice(wrapper, source.offset(first, 0) - len(prefix))


def _uncut(line: int, why: str) -> Unreadable:
    return Unreadable(f"line {line}: cannot be looked at in detail ({why})")


def spans(piece: Slice) -> dict[cst.CSTNode, tuple[int, int]]:
    """Where every node stands, as UTF-8 offsets (start, end) in the file."""
    found = piece.wrapper.resolve(ByteSpanPositionProvider)
    return {
        node: (span.start + piece.shift, span.start + span.length + piece.shift)
        for node, span in found.items()
    }


def nodes(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node and everything in it, outermost first."""
    yield node
    for child in node.children:
        yield from nodes(child)


def statement_around(source: Source, line: int) -> tuple[int, int]:
    """The lines of the top-level statement that holds a line outside every function."""
    for node in source.parse().body:
        first = min([node.lineno, *[d.lineno for d in getattr(node, "decorator_list", ())]])
        if first <= line <= (node.end_lineno or first):
            return first, node.end_lineno or first
    return line, line


def simple_statement(source: Source, line: int) -> tuple[int, int]:
    """The lines of the smallest statement around a line.

    It is all that is needed of a function that libcst can't take as a whole.
    """
    around = [
        (node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(source.parse())
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    return min(around, key=lambda lines: lines[1] - lines[0], default=(line, line))
