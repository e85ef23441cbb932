"""The cure of a late stamp: its statement moves before the one that makes the copies.

Both have to stand in one block, and nothing that the stamp reads may be set in between. What else
happens there may matter all the same, so a person has to look at it.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ipc_lint.files.source import Source
from ipc_lint.model import Edit
from ipc_lint.sites.edits import Spans, line_start, rest_of_line
from ipc_lint.sites.slices import nodes


def move_stamp(source: Source, spans: Spans, stamp: cst.CSTNode, copied: int) -> tuple[Edit, ...] | None:
    """The edits that move a stamp before the statement at the offset ``copied``, or None."""
    found = _in_one_block(spans, spans[stamp][0], copied)
    if found is None:
        return None
    late, before, between = found
    if not _is_alone(late, stamp) or _names(late) & {name for stmt in between for name in _bound(stmt)}:
        return None
    text = source.text.encode()
    old, new = _lines(text, *spans[late]), _lines(text, *spans[before])
    if old is None or new is None:
        return None
    moved = text[slice(*old)].decode()
    return Edit(source.span_at(new[0], new[0]), moved), Edit(source.span_at(*old), "")


_Found = tuple[cst.BaseStatement, cst.BaseStatement, list[cst.BaseStatement]]


def _in_one_block(spans: Spans, late: int, early: int) -> _Found | None:
    """The statements of the innermost block that hold two offsets, and those from one to the other."""
    best: _Found | None = None
    size = 0
    for block, (start, end) in spans.items():
        if isinstance(block, cst.IndentedBlock) and (best is None or end - start < size):
            places = [
                [n for n, stmt in enumerate(block.body) if spans[stmt][0] <= offset < spans[stmt][1]]
                for offset in (early, late)
            ]
            if all(places) and places[0][0] < places[1][0]:
                first, last = places[0][0], places[1][0]
                body = list(block.body)
                best = body[last], body[first], body[first:last]
                size = end - start
    return best


def _is_alone(statement: cst.BaseStatement, stamp: cst.CSTNode) -> bool:
    """Whether a statement is the stamp and nothing else, or an ``if`` around it."""
    match statement:
        case cst.SimpleStatementLine(body=[cst.Expr(value=only) | (cst.Assign() as only)]):
            return only is stamp
        case cst.If(body=cst.IndentedBlock(body=[inner]), orelse=None):
            return isinstance(inner, cst.BaseStatement) and _is_alone(inner, stamp)
    return False


def _names(node: cst.CSTNode) -> set[str]:
    """Every name in a piece of code."""
    return {part.value for part in nodes(node) if isinstance(part, cst.Name)}


def _bound(node: cst.CSTNode) -> Iterator[str]:
    """The names and attributes that a statement sets."""
    for part in nodes(node):
        match part:
            case (
                cst.AssignTarget(target=target) | cst.AnnAssign(target=target) | cst.AugAssign(target=target)
            ):
                yield from _set(target)
            case cst.For(target=target) | cst.NamedExpr(target=target):
                yield from _set(target)
            case cst.AsName(name=name):
                yield from _set(name)


def _set(target: cst.CSTNode) -> set[str]:
    """What a target sets: a variable by its name, an attribute by its own."""
    return {target.attr.value} if isinstance(target, cst.Attribute) else _names(target)


def _lines(text: bytes, start: int, end: int) -> tuple[int, int] | None:
    """The whole lines of a statement, their ends too, if it has them for itself."""
    first, last = line_start(text, start), rest_of_line(text, end)
    return None if last is None or text[first:start].strip() else (first, last)
