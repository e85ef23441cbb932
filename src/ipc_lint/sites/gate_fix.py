"""The cure of a gate on the wrong object: test what is written to, read the field with ``getattr``.

Only the plain shape is rewritten, where every step can be followed: an ``if`` without ``else``, its
test a chain of ``and``, its body the copy. Anything else is left to a person.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ipc_lint.files.source import Source
from ipc_lint.model import Edit
from ipc_lint.sites.edits import Spans, line_start, newline_before
from ipc_lint.sites.slices import nodes


def move_gate(
    source: Source,
    spans: Spans,
    statement: cst.If,
    gate: cst.Call,
    names: tuple[str, str, str],
    taken: frozenset[str],
) -> tuple[Edit, ...] | None:
    """The edits that make ``gate`` test the output, or None where the shape is another.

    ``names`` are the origin, the output and the field; ``taken`` the names of the function.
    """
    origin, output, field = names
    local = field if field not in taken else f"{origin}_{field}"
    tests = list(_conjuncts(statement.test))
    if local in taken or statement.orelse is not None or gate not in tests or not gate.args:
        return None
    if not _copies(statement.body, origin, output, field):
        return None
    reads = [node for node in nodes(statement) if _is_read(node, origin, field)]
    if not all(_is_load(statement, node) for node in reads):
        return None
    text = source.text.encode()
    start = spans[statement][0]
    line = line_start(text, start)
    indent = text[line:start].decode()
    if indent.strip():
        return None
    newline = newline_before(text, line)
    edits = [(line, line, f'{indent}{local} = getattr({origin}, "{field}", None){newline}')]
    edits.append((*spans[gate.args[0].value], output))
    edits += [(*spans[node], local) for node in reads]
    more = ""
    if not any(_mentions(test, origin, field) for test in tests):
        more += f" and {local} is not None"
    if not any(_mentions(test, output, field) for test in tests):
        more += f" and {output}.{field} is None"
    if more:
        last = spans[tests[-1]][1]
        edits.append((last, last, more))
    return tuple(Edit(source.span_at(a, b), content) for a, b, content in sorted(edits))


def _conjuncts(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        yield from _conjuncts(test.left)
        yield from _conjuncts(test.right)
    else:
        yield test


def _copies(body: cst.BaseSuite, origin: str, output: str, field: str) -> bool:
    """Whether a block is ``output.field = origin.field`` and nothing else."""
    match body:
        case cst.IndentedBlock(body=[cst.SimpleStatementLine(body=[only])]):
            pass
        case cst.SimpleStatementSuite(body=[only]):
            pass
        case _:
            return False
    match only:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as target)], value=value):
            return _is_read(target, output, field) and _is_read(value, origin, field)
    return False


def _is_read(node: cst.CSTNode, name: str, field: str) -> bool:
    match node:
        case cst.Attribute(value=cst.Name(value=base), attr=cst.Name(value=attr)):
            return base == name and attr == field
    return False


def _is_load(statement: cst.If, node: cst.CSTNode) -> bool:
    """Whether an attribute is read; the copy's own target is the output's."""
    return not any(isinstance(part, cst.AssignTarget) and part.target is node for part in nodes(statement))


def _mentions(test: cst.BaseExpression, name: str, field: str) -> bool:
    return any(_is_read(part, name, field) for part in nodes(test))
