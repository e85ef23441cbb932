"""The cure of a gate on the wrong object: test what is written to, read the field with ``getattr``.

Only the plain shape is rewritten, where every step can be followed: an ``if`` without ``else``, its
test a chain of ``and``, its body the copy. Anything else is left to a person.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ipc_lint.files.source import Source
from ipc_lint.model import Edit
from ipc_lint.sites.edits import Spans


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
    reads = [node for node in _attributes(statement) if _is_read(node, origin, field)]
    if not all(_is_load(statement, node) for node in reads):
        return None
    text = source.text.encode()
    start = spans[statement][0]
    line = max(text.rfind(b"\n", 0, start), text.rfind(b"\r", 0, start)) + 1
    indent = text[line:start].decode()
    if indent.strip():
        return None
    newline = "\r\n" if b"\r\n" in text[line - 2 : line] else text[line - 1 : line].decode() or "\n"
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


def _attributes(node: cst.CSTNode) -> Iterator[cst.Attribute]:
    for child in node.children:
        if isinstance(child, cst.Attribute):
            yield child
        yield from _attributes(child)


def _is_load(statement: cst.If, node: cst.Attribute) -> bool:
    """Whether an attribute is read; the copy's own target is the output's."""
    return not any(isinstance(part, cst.AssignTarget) and part.target is node for part in _all(statement))


def _all(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in node.children:
        yield from _all(child)


def _mentions(test: cst.BaseExpression, name: str, field: str) -> bool:
    return any(_is_read(part, name, field) for part in _all(test))
