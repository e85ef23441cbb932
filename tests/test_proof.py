"""The proof that a new tree is the old one plus the change that was meant."""

from __future__ import annotations

import ast

import pytest

from ipc_lint.proof import ARGUMENT, GATE, MOVE, OTHER, VALUE, changes

OLD = """\
def admit(order, *, urgent, late=1):
    job = Job(order.rid, text="x", **{**extra})
    return send(job, None)
"""


def between(old: str, new: str) -> list[str]:
    return list(changes(ast.parse(old), ast.parse(new)))


def test_a_tree_does_not_differ_from_itself() -> None:
    assert between(OLD, OLD) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('text="x"', 'text="x", reply_to=order.reply_to'),
        ("order.rid,", "order.rid, order.reply_to,"),
        ("send(job, None)", "send(job, order)"),
        ("send(job, None)", "send(job, None, order)"),
    ],
)
def test_one_more_argument(before: str, after: str) -> None:
    assert between(OLD, OLD.replace(before, after)) == [ARGUMENT]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('text="x"', 'text="y"'),
        ("order.rid", "order.uid"),
        ("late=1", "late=2"),
        ("return send", "send"),
        ("send(job, None)", "send(job, True)"),
        ('text="x", **', "**"),
        ("    return", "    pass\n    return"),
    ],
)
def test_anything_else_is_told_apart(before: str, after: str) -> None:
    assert OTHER in between(OLD, OLD.replace(before, after))


def test_a_moved_gate_is_a_change_of_its_own_kind() -> None:
    old = "if isinstance(o, T):\n    out.f = o.f\n"
    new = 'f = getattr(o, "f", None)\nif isinstance(out, T) and f is not None:\n    out.f = f\n'
    assert between(old, new) == [GATE]


def test_a_statement_that_moved_up_is_a_change_of_its_own_kind() -> None:
    old = "one()\ntwo()\nif x:\n    stamp(a)\nthree()\n"
    assert between(old, "if x:\n    stamp(a)\none()\ntwo()\nthree()\n") == [MOVE]
    assert OTHER in between(old, "if x:\n    stamp(b)\none()\ntwo()\nthree()\n")
    assert OTHER in between(old, "three()\ntwo()\nif x:\n    stamp(a)\none()\n")


def test_the_same_attribute_of_another_variable_is_a_change_of_its_own_kind() -> None:
    assert between("f(a.x)", "f(b.x)") == [VALUE]
    assert between("f(k=a.x)", "f(k=b.x)") == [VALUE]
    assert OTHER in between("f(a.x)", "f(b.y)")
    assert OTHER in between("f(a.x)", "f(b.c.x)")
