"""What a check of one project gave, and how it is remembered: paths are kept relative to its root."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any, NamedTuple

from ipc_lint.model import Edit, Finding, Fix, Inferred, Problem, Related, Span


class Checked(NamedTuple):
    """The findings and problems of one project, by absolute path; which of the fields it declares.

    ``inferred`` and ``unparsed`` (a number of files) are there for whoever asked for every site; they
    are not remembered.
    """

    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...]
    declared: frozenset[str]
    inferred: tuple[Inferred, ...] = ()
    unparsed: int = 0


def remembered(checked: Checked, root: str) -> dict[str, Any]:
    """A result as JSON can hold it."""
    local = _moved(checked, lambda path: os.path.relpath(path, root))
    return {
        "findings": [asdict(finding) for finding in local.findings],
        "problems": [asdict(problem) for problem in local.problems],
        "declared": sorted(local.declared),
    }


def recalled(value: Mapping[str, Any], root: str) -> Checked:
    """The result that was remembered. Raises TypeError, KeyError or ValueError for anything else."""
    found = Checked(
        tuple(_finding(**item) for item in value["findings"]),
        tuple(Problem(**item) for item in value["problems"]),
        frozenset(value["declared"]),
    )
    return _moved(found, lambda path: os.path.normpath(os.path.join(root, path)))


def _finding(
    span: Mapping[str, int],
    related: list[dict[str, Any]],
    fix: Mapping[str, Any] | None,
    **rest: Any,
) -> Finding:
    made = None
    if fix is not None:
        edits = tuple(Edit(Span(**edit["span"]), edit["content"]) for edit in fix["edits"])
        made = Fix(fix["message"], fix["applicability"], edits, fix["kind"])
    return Finding(span=Span(**span), related=tuple(Related(**item) for item in related), fix=made, **rest)


def _moved(checked: Checked, move: Callable[[str], str]) -> Checked:
    """A result with other paths."""
    findings = (
        replace(f, path=move(f.path), related=tuple(replace(r, path=move(r.path)) for r in f.related))
        for f in checked.findings
    )
    problems = (replace(problem, path=move(problem.path)) for problem in checked.problems)
    return Checked(tuple(findings), tuple(problems), checked.declared)
