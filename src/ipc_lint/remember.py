"""What a check of one project gave, and how it is remembered: paths are kept relative to its root."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgspec import convert, to_builtins
from msgspec.structs import replace

from ipc_lint.model import Finding, Inferred, Problem


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
        "findings": [to_builtins(finding) for finding in local.findings],
        "problems": [to_builtins(problem) for problem in local.problems],
        "declared": sorted(local.declared),
    }


def recalled(value: Mapping[str, Any], root: str) -> Checked:
    """The result that was remembered. Raises ValidationError, TypeError or LookupError for anything else."""
    found = Checked(
        convert(value["findings"], tuple[Finding, ...]),
        convert(value["problems"], tuple[Problem, ...]),
        frozenset(convert(value["declared"], list[str])),
    )
    return _moved(found, lambda path: os.path.normpath(os.path.join(root, path)))


def _moved(checked: Checked, move: Callable[[str], str]) -> Checked:
    """A result with other paths."""
    findings = (
        replace(f, path=move(f.path), related=tuple(replace(r, path=move(r.path)) for r in f.related))
        for f in checked.findings
    )
    problems = (replace(problem, path=move(problem.path)) for problem in checked.problems)
    return Checked(tuple(findings), tuple(problems), checked.declared)
