"""The whole way from paths to a report."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ipc_lint.contract.nouns import FieldPair
from ipc_lint.contract.overruled import names_of
from ipc_lint.contract.said import inferred
from ipc_lint.files.discover import discover, project_files
from ipc_lint.files.ignore import is_within
from ipc_lint.files.project import Project, find_project, is_marked
from ipc_lint.files.source import Unreadable
from ipc_lint.gather import Gathered, Gatherer
from ipc_lint.judge import judge
from ipc_lint.judge.verdicts import Verdict
from ipc_lint.model import Finding, Inferred, Problem, Report, SiteRecord, Skipped, Span, Unproven
from ipc_lint.presets import load
from ipc_lint.settings import DEFAULT_EXCLUDE, NothingToFollow, Settings, SettingsOf, everywhere
from ipc_lint.sift import Sieve, Sifted
from ipc_lint.since import Since
from ipc_lint.track import Track, untracked

if TYPE_CHECKING:
    from ipc_lint.sites.visitors import Site

# Enough for statements and expressions as deep as they are followed, and safe on every Python.
_FRAMES = 4000


def check(
    paths: Sequence[str],
    settings: Settings | SettingsOf,
    *,
    record_sites: bool = False,
    contents: Mapping[str, bytes] | None = None,
    since: Since | None = None,
    track: Track = untracked,
) -> Report:
    """Check files and folders.

    The index covers the projects that the paths belong to; only findings in the files asked for are
    reported. With ``record_sites`` every site of the field is recorded with its outcome, and with
    them what was inferred and what was passed over. ``contents`` are taken in place of what is in the
    files of those (absolute) paths, and such a file need not be there. ``since`` leaves out what no
    change since a revision touches. ``track`` watches the work.

    Raises BadBaseline where the settings name one that can't be read, NoHistory, and NothingToFollow.
    """
    with _at_full_depth():
        given = contents or {}
        sieve = Sieve(paths, since.given(given) if since is not None else None)
        return _check(_Run(paths, everywhere(settings), given, track), sieve, record_sites)


def routes(paths: Sequence[str], settings: Settings | SettingsOf) -> Report:
    """Every site of the field in files and folders, located in its source; there are no findings."""
    with _at_full_depth():
        return _routes(paths, everywhere(settings))


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


def _check(run: _Run, sieve: Sieve, record_sites: bool) -> Report:
    sites: list[SiteRecord] = []
    for gathered, mine, its_settings in run.projects():
        verdicts = _verdicts(gathered, mine, its_settings, everything=record_sites)
        found, failed = _findings(gathered, [v for v in verdicts if v.code is not None], run.track)
        run.problems += failed
        unread = {problem.path for problem in (*gathered.problems, *failed, *_unfollowed(gathered, mine))}
        sieve.take(gathered, mine, its_settings, found, unread)
        if record_sites:
            sites += [_record(verdict, _span(verdict, gathered)) for verdict in verdicts]
            run.tell(gathered, mine)
    return run.report(sieve.result(), sites)


def _routes(paths: Sequence[str], settings: SettingsOf) -> Report:
    run = _Run(paths, settings, {}, untracked)
    sites: list[SiteRecord] = []
    for gathered, mine, its_settings in run.projects():
        by_function: dict[object, list[Verdict]] = {}
        for verdict in _verdicts(gathered, mine, its_settings, everything=True):
            by_function.setdefault(verdict.function, []).append(verdict)
        failed: dict[str, Problem] = {}  # one line a file, and the other functions in it are listed
        for group in by_function.values():
            for found in _located(gathered, group):
                if isinstance(found, Problem):
                    failed.setdefault(found.path, found)
                else:
                    sites.append(_record(found.verdict, found.span))
        run.problems += failed.values()
    return run.report(Sifted(), sites)


class _Run:
    """What a run over some paths has found out about their projects."""

    def __init__(
        self, paths: Sequence[str], settings: SettingsOf, contents: Mapping[str, bytes], track: Track
    ) -> None:
        self.track = track
        self._paths = paths
        self._settings = settings
        self._contents = contents
        self._asked = discover(paths, settings, contents)
        self._followed: dict[str, bool] = {}  # whether some class declares the field
        self._inferred: list[Inferred] = []
        self._skipped: list[Skipped] = []
        self._unparsed = 0
        self.problems = list(self._asked.problems)

    def projects(self) -> Iterator[tuple[Gathered, set[str], Settings]]:
        """Each project, gathered, the files of it that were asked for, and what holds for them."""
        for project, settings, files in _projects(
            self._paths, self._asked.files, self._settings, self._contents
        ):
            if not settings.follows_something:
                raise NothingToFollow(settings.config)
            mine = set(files)
            # What the user excludes is not reported on; what it defines is known all the same.
            everything = sorted({*project_files(project, _context(settings)), *files})
            followed = fields(settings)
            gathered = Gatherer(
                project.root,
                everything,
                followed,
                stubs(settings),
                self._contents,
                settings.overrules,
                self.track,
            ).gather()
            self.problems += [problem for problem in gathered.problems if problem.path in mine]
            self.problems += _unknown_names(gathered, settings)
            for contract in gathered.contracts:
                name = contract.fields.single
                self._followed[name] = self._followed.get(name, False) or bool(contract.carriers)
            yield gathered, mine, settings
            # Which functions could not be followed is known when somebody has tried.
            self.problems += _unfollowed(gathered, mine)

    def tell(self, gathered: Gathered, mine: set[str]) -> None:
        """Keep what was inferred of a project, and what was passed over on the way to its files."""
        for contract in gathered.contracts:
            self._inferred += [replace(it, path=_relative(it.path)) for it in inferred(contract)]
        self._skipped = [replace(it, path=_relative(it.path)) for it in self._asked.skipped]
        self._unparsed += len(mine - gathered.sources.keys() - {problem.path for problem in self.problems})

    def report(self, sifted: Sifted, sites: Iterable[SiteRecord]) -> Report:
        """The report, with paths as the user writes them."""
        return Report(
            tuple(sorted(map(_shown, sifted.shown), key=_place)),
            tuple(Problem(_relative(p.path), p.message) for p in self.problems),
            len(set(self._asked.files) - {problem.path for problem in self.problems}),
            tuple(sites),
            tuple(name for name, is_declared in self._followed.items() if not is_declared),
            suppressed=tuple(sorted(map(_shown, sifted.suppressed), key=_place)),
            known=len(sifted.known),
            stale=tuple(f"{_relative(e.path)}: {e.code} in {e.symbol or 'a comment'}" for e in sifted.stale),
            inferred=tuple(self._inferred),
            skipped=tuple(self._skipped),
            unparsed=self._unparsed,
        )


def _unknown_names(gathered: Gathered, settings: Settings) -> list[Problem]:
    """The names in the config that nothing in the project has: a typing mistake, or long gone."""
    if settings.config is None or not gathered.contracts:
        return []
    return [Problem(settings.config, message) for message in gathered.contracts[0].overruled.unknown]


def _verdicts(gathered: Gathered, mine: set[str], settings: Settings, *, everything: bool) -> list[Verdict]:
    """The verdicts in the files asked for; what the config leaves alone is no fault."""
    verdicts = [v for contract in gathered.contracts for v in judge(contract, everything=everything)]
    return [
        replace(v, code=None, outcome=Unproven("the config leaves this function alone"))
        if any(fnmatchcase(n, p) for p in settings.ignore_functions for n in names_of(v.function))
        else v
        for v in verdicts
        if v.function.module.path in mine
    ]


def fields(settings: Settings) -> list[FieldPair]:
    """The fields to follow, each with its batch field."""
    names = settings.fields
    if not names and settings.preset is not None:
        names = load(settings.preset).fields
    return [FieldPair(name, f"{name}s") for name in names]


def _context(settings: Settings) -> Settings:
    """The settings by which the files are found that only have to be known."""
    return replace(settings, exclude=DEFAULT_EXCLUDE, extend_exclude=(), force_exclude=False)


def stubs(settings: Settings) -> dict[str, str]:
    """The preset's modules as source, if the preset speaks of a field that is followed."""
    if settings.preset is None:
        return {}
    preset = load(settings.preset)
    followed = {pair.single for pair in fields(settings)}
    return preset.stubs() if followed & set(preset.fields) else {}


def _projects(
    paths: Sequence[str], files: Iterable[str], settings: SettingsOf, contents: Mapping[str, bytes]
) -> Iterator[tuple[Project, Settings, list[str]]]:
    """The files asked for, by the project that they belong to and what holds for them."""
    asked = {os.path.abspath(path) for path in paths if os.path.isdir(path)}
    by_folder: dict[str, Project] = {}

    def project_of(folder: str, path: str) -> Project:
        if folder not in by_folder:
            if folder in asked or is_marked(folder) or not any(is_within(folder, top) for top in asked):
                start = folder if folder in asked else path
                by_folder[folder] = find_project(start, _context(settings(folder)), contents)
            else:
                by_folder[folder] = project_of(os.path.dirname(folder), path)
        return by_folder[folder]

    groups: dict[tuple[Project, Settings], list[str]] = {}
    for path in files:
        folder = os.path.dirname(path)
        groups.setdefault((project_of(folder, path), settings(folder)), []).append(path)
    for (project, its_settings), group in sorted(
        groups.items(), key=lambda item: (item[0][0].root, item[0][0].folders, item[0][1].config or "")
    ):
        yield project, its_settings, group


def _unfollowed(gathered: Gathered, mine: set[str]) -> list[Problem]:
    """The files with a function that could not be followed."""
    return [
        Problem(path, f"line {min(module.unfollowed)}: nested too deeply to be checked")
        for path, module in gathered.infer.project.modules.items()
        if module.unfollowed and path in mine
    ]


def _findings(
    gathered: Gathered, verdicts: list[Verdict], track: Track
) -> tuple[list[Finding], list[Problem]]:
    """Locate the faults in the source and let the rules speak of them."""
    if not verdicts:
        return [], []
    # libcst takes a fifth of a second to load: only where there is something to show.
    from ipc_lint.rules import RULES

    rules = [rule() for rule in RULES]
    findings: list[Finding] = []
    problems: list[Problem] = []
    for found in _located(gathered, verdicts, track):
        if isinstance(found, Problem):
            problems.append(found)
        else:
            findings += [finding for rule in rules for finding in rule.check(found)]
    return findings, problems


def _located(
    gathered: Gathered, verdicts: Iterable[Verdict], track: Track = untracked
) -> Iterator[Site | Problem]:
    """The sites of the verdicts, file after file; a problem in place of those of a file that has one."""
    from ipc_lint.sites.visitors import locate

    by_path: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        by_path.setdefault(verdict.function.module.path, []).append(verdict)
    for path, group in track("locating", sorted(by_path.items())):
        try:
            yield from locate(gathered.sources[path], group)
        except Unreadable as error:
            yield Problem(path, error.message)


def _record(verdict: Verdict, span: Span) -> SiteRecord:
    return SiteRecord(
        verdict.kind,
        _relative(verdict.function.module.path),
        span,
        verdict.function.facts.qualname,
        verdict.subject,
        verdict.field,
        verdict.outcome,
        verdict.code,
    )


def _span(verdict: Verdict, gathered: Gathered) -> Span:
    return gathered.sources[verdict.function.module.path].span(*verdict.at)


def _shown(finding: Finding) -> Finding:
    """The finding with paths as the user writes them."""
    related = tuple(replace(r, path=_relative(r.path)) for r in finding.related)
    return replace(finding, path=_relative(finding.path), related=related)


def _relative(path: str) -> str:
    if path.startswith("<"):  # a stub of the preset, which is no file
        return path
    try:
        return os.path.relpath(path).replace(os.sep, "/")
    except ValueError:  # another drive
        return path.replace(os.sep, "/")


def _place(finding: Finding) -> tuple[str, int, int, str]:
    return finding.path, finding.span.line, finding.span.column, finding.code
