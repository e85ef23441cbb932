"""Locates what was decided in the sources, and lets the rules speak of it.

libcst takes a fifth of a second to load. So it is loaded only where there is something to show, or
by a helper while others judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from ipc_lint.files.source import Source, Unreadable
from ipc_lint.judge.decided import Decided
from ipc_lint.model import Finding, Problem

if TYPE_CHECKING:
    from ipc_lint.sites.visitors import Site

# A file, what is in it, and what was decided of it.
Request: TypeAlias = tuple[str, bytes, Sequence[Decided]]


def found(requests: Iterable[Request]) -> tuple[list[Finding], list[Problem]]:
    """What the rules find in some files, and what is wrong with those that can't be looked at."""
    from ipc_lint.rules import RULES

    rules = [rule() for rule in RULES]
    findings: list[Finding] = []
    problems: list[Problem] = []
    for path, data, group in requests:
        for site in located(Source(path, data), group):
            if isinstance(site, Problem):
                problems.append(site)
            else:
                findings += [finding for rule in rules for finding in rule.check(site)]
    return findings, problems


def located(source: Source, group: Iterable[Decided]) -> Iterator[Site | Problem]:
    """The sites in one file; a problem in their place where it has one."""
    from ipc_lint.sites.visitors import locate

    try:
        yield from locate(source, group)
    except Unreadable as error:
        yield Problem(source.path, error.message)
