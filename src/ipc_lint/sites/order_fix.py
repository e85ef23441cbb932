"""The cure of a late stamp: its statement moves before the one that makes the copies.

Both have to stand in one block, and nothing that the stamp reads may be set in between. What else
happens there may matter all the same, so a person has to look at it.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ipc_lint.files.source import Source
from ipc_lint.model import Edit
from ipc_lint.sites.edits import Spans


def move_stamp(source: Source, spans: Spans, stamp: cst.CSTNode, copied: int) -> tuple[Edit, ...] | None:
    """The edits that move a stamp before the statement at the offset ``copied``, or None."""
    found = _in_one_block(spans, spans[stamp][0], copied)
    if found is None:
        return None
    late, before, between = found
    if not _is_alone(late, stamp) or _names(late) & {name for stmt in between for name in _bound(stmt)}:
        return None
    text = source.text.encode()
    lines = [_lines(text, *spans[stmt]) for stmt in (late, before)]
    if any(line is None for line in lines):
        return None
    (start, end), (place, _) = [line for line in lines if line is not None]
    moved = text[start:end].decode()
    if not moved.endswith(("\n", "\r")):
        return None
    return Edit(source.span_at(place, place), moved), Edit(source.span_at(start, end), "")


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
    return {part.value for part in _all(node) if isinstance(part, cst.Name)}


def _bound(node: cst.CSTNode) -> Iterator[str]:
    """The names and attributes that a statement sets."""
    for part in _all(node):
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


def _all(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in node.children:
        yield from _all(child)


def _lines(text: bytes, start: int, end: int) -> tuple[int, int] | None:
    """The whole lines of a statement, if it has them for itself."""
    first = max(text.rfind(b"\n", 0, start), text.rfind(b"\r", 0, start)) + 1
    ends = [place for place in (text.find(b"\n", end), text.find(b"\r", end)) if place >= 0]
    last = min(ends) if ends else len(text)
    rest = text[end:last].strip()
    if text[first:start].strip() or (rest and not rest.startswith(b"#")):
        return None
    return first, last + (2 if text[last : last + 2] == b"\r\n" else 1 if ends else 0)
