"""The whole way from paths to a report."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ipc_lint.crew import Crew
from ipc_lint.depth import at_full_depth
from ipc_lint.files.discover import Discovery, discover
from ipc_lint.files.ignore import is_within
from ipc_lint.files.paths import folder_of, shown
from ipc_lint.files.project import Project, find_project, is_marked
from ipc_lint.model import Finding, Inferred, Problem, Report, SiteRecord, Skipped
from ipc_lint.part import Part, context, may_be_remembered
from ipc_lint.presets import fields_of
from ipc_lint.remember import Checked
from ipc_lint.settings import NothingToFollow, Settings, SettingsOf, everywhere
from ipc_lint.track import Track, untracked

if TYPE_CHECKING:
    from ipc_lint.sift import Sifted
    from ipc_lint.since import Since

# In bytes: more than most files have, and than what is found in one; less than glibc ever keeps.
_LARGEST = 1 << 24


def check(
    paths: Sequence[str],
    settings: Settings | SettingsOf,
    *,
    record_sites: bool = False,
    contents: Mapping[str, bytes] | None = None,
    since: Since | None = None,
    track: Track = untracked,
    crew: Crew | None = None,
) -> Report:
    """Check files and folders.

    The index covers the projects that the paths belong to; only findings in the files asked for are
    reported. With ``record_sites`` every site of the field is recorded with its outcome, and with
    them what was inferred and what was passed over. ``contents`` are taken in place of what is in the
    files of those (absolute) paths, and such a file need not be there. ``since`` leaves out what no
    change since a revision touches. ``track`` watches the work, ``crew`` shares it.

    Raises BadBaseline where the settings name one that can't be read, NoHistory, and NothingToFollow.
    """
    with _unhindered():
        given = contents or {}
        run = _Run(paths, everywhere(settings), given, track, crew)
        return _check(run, since.given(given) if since is not None else None, record_sites)


def routes(paths: Sequence[str], settings: Settings | SettingsOf, *, crew: Crew | None = None) -> Report:
    """Every site of the field in files and folders, located in its source; there are no findings."""
    from ipc_lint.checking import listed
    from ipc_lint.sift import Sifted

    with _unhindered():
        run = _Run(paths, everywhere(settings), {}, untracked, crew)
        sites: list[SiteRecord] = []
        for part in run.parts():
            run.take(part, listed(part, sites))
        return run.report(Sifted(), sites)


@contextmanager
def _unhindered() -> Iterator[None]:
    """Room for deep trees, and no search for cycles: facts only grow, it costs more than all the work."""
    collecting = gc.isenabled()
    gc.disable()
    _keep_what_is_freed()
    try:
        with at_full_depth():
            yield
    finally:
        if collecting:
            gc.enable()


def _keep_what_is_freed() -> None:
    """Let large pieces of memory be used again, not handed back and asked for anew.

    To be given a page takes a microsecond or more, and a file that is read has dozens. glibc hands back
    what is larger than anything that was freed before; nothing is ever written to this one.
    """
    bytes(_LARGEST)


def _check(run: _Run, since: Since | None, record_sites: bool) -> Report:
    sites: list[SiteRecord] = []
    done: list[tuple[Part, Checked]] = []
    for part in run.parts():
        known = None if record_sites else part.recall()
        if known is None:
            part.begin()
            # All the rest takes a while to load: only where there is something to do.
            from ipc_lint.checking import checked, checked_and_listed

            known = checked_and_listed(part, sites) if record_sites else checked(part)
            part.remember(known)
        done.append((part, known))
    from ipc_lint.sift import Sieve

    sieve = Sieve(run.paths, since)
    for part, known in done:
        run.take(part, known)
        sieve.take(part, known)
    return run.report(sieve.result(), sites if record_sites else None)


class _Run:
    """What a run over some paths has found out about their projects."""

    def __init__(
        self,
        paths: Sequence[str],
        settings: SettingsOf,
        contents: Mapping[str, bytes],
        track: Track,
        crew: Crew | None,
    ) -> None:
        self._track = track
        self._crew = crew
        self.paths = paths
        self._settings = settings
        self._contents = contents
        self._asked = discover(paths, settings, contents, self._call_up)
        self._followed: dict[str, bool] = {}  # whether some class declares the field
        self._inferred: list[Inferred] = []
        self._unparsed = 0
        self._problems = list(self._asked.problems)

    def _call_up(self) -> None:
        """Let helpers load what the work takes while files are still being found, if it may be all new."""
        top = folder_of(os.path.abspath(self.paths[0]))
        if self._crew is not None and not may_be_remembered(self._settings(top), top):
            self._crew.call_up()
            self._crew.load("ipc_lint.scouting")

    def parts(self) -> Iterator[Part]:
        """Each project, one after the other."""
        found = list(_projects(self.paths, self._asked, self._settings, self._contents))
        # The usual case: the folder of one project, nothing passed over. It was walked already.
        asked = tuple(map(os.path.abspath, self.paths))
        for project, settings, files in found:
            if not settings.follows_something:
                raise NothingToFollow(settings.config)
            plain = len(found) == 1 and not self._asked.skipped and settings == context(settings)
            whole = plain and asked == project.folders
            yield Part(project, set(files), settings, self._contents, self._track, self._crew, whole=whole)

    def take(self, part: Part, checked: Checked) -> None:
        """Note what one project came to."""
        self._problems += part.unread
        self._problems += checked.problems
        for name in fields_of(part.settings):
            self._followed[name] = self._followed.get(name, False) or name in checked.declared
        self._inferred += [replace(it, path=shown(it.path)) for it in checked.inferred]
        self._unparsed += checked.unparsed

    def report(self, sifted: Sifted, sites: Iterable[SiteRecord] | None) -> Report:
        """The report, with paths as the user writes them; what was passed over goes with the sites."""
        return Report(
            tuple(sorted(map(_shown, sifted.shown), key=_place)),
            tuple(sorted(Problem(shown(p.path), p.message) for p in self._problems)),
            len(set(self._asked.files) - {problem.path for problem in self._problems}),
            tuple(replace(site, path=shown(site.path)) for site in sites or ()),
            tuple(name for name, is_declared in self._followed.items() if not is_declared),
            suppressed=tuple(sorted(map(_shown, sifted.suppressed), key=_place)),
            known=len(sifted.known),
            stale=tuple(f"{shown(e.path)}: {e.code} in {e.symbol or 'a comment'}" for e in sifted.stale),
            inferred=tuple(self._inferred),
            skipped=() if sites is None else tuple(map(_passed_over, self._asked.skipped)),
            unparsed=self._unparsed,
        )


def _projects(
    paths: Sequence[str], found: Discovery, settings: SettingsOf, contents: Mapping[str, bytes]
) -> Iterator[tuple[Project, Settings, list[str]]]:
    """The files asked for, by the project that they belong to and what holds for them."""
    asked = {os.path.abspath(path) for path in paths if os.path.isdir(path)}
    by_folder: dict[str, Project] = {}

    def project_of(folder: str, path: str) -> Project:
        if folder not in by_folder:
            marked = folder not in found.unmarked and is_marked(folder)
            if folder in asked or marked or not any(is_within(folder, top) for top in asked):
                start = folder if folder in asked else path
                by_folder[folder] = find_project(start, context(settings(folder)), contents)
            else:
                by_folder[folder] = project_of(os.path.dirname(folder), path)
        return by_folder[folder]

    by_place: dict[str, list[str]] = {}
    for path in found.files:
        by_place.setdefault(path[: path.rfind(os.sep)], []).append(path)
    groups: dict[tuple[Project, Settings], list[str]] = {}
    for files in by_place.values():
        folder = os.path.dirname(files[0])
        groups.setdefault((project_of(folder, files[0]), settings(folder)), []).extend(files)
    for (project, its_settings), group in sorted(
        groups.items(), key=lambda item: (item[0][0].root, item[0][0].folders, item[0][1].config or "")
    ):
        yield project, its_settings, group


def _passed_over(skipped: Skipped) -> Skipped:
    return replace(skipped, path=shown(skipped.path))


def _shown(finding: Finding) -> Finding:
    """The finding with paths as the user writes them."""
    related = tuple(replace(r, path=shown(r.path)) for r in finding.related)
    return replace(finding, path=shown(finding.path), related=related)


def _place(finding: Finding) -> tuple[str, int, int, str]:
    return finding.path, finding.span.line, finding.span.column, finding.code
