"""The whole way from paths to a report."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from ipc_lint.files.discover import discover
from ipc_lint.files.ignore import is_within
from ipc_lint.files.project import Project, find_project, is_marked
from ipc_lint.model import Finding, Problem, Report, SiteRecord
from ipc_lint.part import Part, context
from ipc_lint.presets import fields_of
from ipc_lint.remember import Checked
from ipc_lint.settings import Settings

# Enough for statements and expressions as deep as they are followed, and safe on every Python.
_FRAMES = 4000


def check(
    paths: Sequence[str],
    settings: Settings,
    *,
    record_sites: bool = False,
    contents: Mapping[str, bytes] | None = None,
) -> Report:
    """Check files and folders.

    The index covers the projects that the paths belong to; only findings in the files asked for are
    reported. With ``record_sites`` every site of the field is recorded with its outcome.
    ``contents`` are taken in place of what is in the files of those (absolute) paths, and such a file
    need not be there.
    """
    with _at_full_depth():
        return _check(paths, settings, record_sites, contents or {})


def routes(paths: Sequence[str], settings: Settings) -> Report:
    """Every site of the field in files and folders, located in its source; there are no findings."""
    from ipc_lint.checking import listed

    with _at_full_depth():
        run = _Run(paths, settings, {})
        sites: list[SiteRecord] = []
        for part in run.parts():
            run.take(part, listed(part, sites))
        return run.report([], sites)


@contextmanager
def _at_full_depth() -> Iterator[None]:
    """Room for deep trees, and no search for cycles: facts only grow, it costs more than all the work."""
    collecting, limit = gc.isenabled(), sys.getrecursionlimit()
    gc.disable()
    sys.setrecursionlimit(max(limit, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        if collecting:
            gc.enable()


def _check(
    paths: Sequence[str], settings: Settings, record_sites: bool, contents: Mapping[str, bytes]
) -> Report:
    run = _Run(paths, settings, contents)
    findings: list[Finding] = []
    sites: list[SiteRecord] = []
    for part in run.parts():
        known = None if record_sites else part.recall()
        if known is None:
            # All the rest takes a while to load: only where there is something to do.
            from ipc_lint.checking import checked

            known = checked(part, sites if record_sites else None)
            part.remember(known)
        findings += known.findings
        run.take(part, known)
    shown = sorted((_shown(f) for f in findings if _selected(f, settings)), key=_place)
    return run.report(shown, sites)


class _Run:
    """What a run over some paths has found out about their projects."""

    def __init__(self, paths: Sequence[str], settings: Settings, contents: Mapping[str, bytes]) -> None:
        self._paths = paths
        self._settings = settings
        self._contents = contents
        self._asked = discover(paths, settings, contents)
        self._declared: set[str] = set()
        self._problems = list(self._asked.problems)

    def parts(self) -> Iterator[Part]:
        """Each project, one after the other."""
        for project, files in _projects(self._paths, self._asked.files, self._settings, self._contents):
            yield Part(project, set(files), self._settings, self._contents)

    def take(self, part: Part, checked: Checked) -> None:
        """Note what one project came to."""
        self._problems += [problem for problem in part.unread if problem.path in part.mine]
        self._problems += checked.problems
        self._declared |= checked.declared

    def report(self, findings: Iterable[Finding], sites: Iterable[SiteRecord]) -> Report:
        """The report, with paths as the user writes them."""
        return Report(
            tuple(findings),
            tuple(Problem(_relative(p.path), p.message) for p in self._problems),
            len(set(self._asked.files) - {problem.path for problem in self._problems}),
            tuple(replace(site, path=_relative(site.path)) for site in sites),
            tuple(name for name in fields_of(self._settings) if name not in self._declared),
        )


def _projects(
    paths: Sequence[str], files: Iterable[str], settings: Settings, contents: Mapping[str, bytes]
) -> Iterator[tuple[Project, list[str]]]:
    """The files asked for, by the project that they belong to."""
    asked = {os.path.abspath(path) for path in paths if os.path.isdir(path)}
    by_folder: dict[str, Project] = {}

    def project_of(folder: str, path: str) -> Project:
        if folder not in by_folder:
            if folder in asked or is_marked(folder) or not any(is_within(folder, top) for top in asked):
                start = folder if folder in asked else path
                by_folder[folder] = find_project(start, context(settings), contents)
            else:
                by_folder[folder] = project_of(os.path.dirname(folder), path)
        return by_folder[folder]

    groups: dict[Project, list[str]] = {}
    for path in files:
        groups.setdefault(project_of(os.path.dirname(path), path), []).append(path)
    yield from sorted(groups.items(), key=lambda item: (item[0].root, item[0].folders))


def _selected(finding: Finding, settings: Settings) -> bool:
    def named(words: tuple[str, ...]) -> bool:
        return any(finding.name == word or finding.code.startswith(word) for word in words)

    return (not settings.select or named(settings.select)) and not named(settings.ignore)


def _shown(finding: Finding) -> Finding:
    """The finding with paths as the user writes them."""
    related = tuple(replace(r, path=_relative(r.path)) for r in finding.related)
    return replace(finding, path=_relative(finding.path), related=related)


def _place(finding: Finding) -> tuple[str, int, int, str]:
    return finding.path, finding.span.line, finding.span.column, finding.code


def _relative(path: str) -> str:
    try:
        return os.path.relpath(path).replace(os.sep, "/")
    except ValueError:  # another drive
        return path.replace(os.sep, "/")
