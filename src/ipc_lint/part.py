"""One project of a run: its files, what is in them, and what an earlier run made of the same contents."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cached_property

from msgspec import ValidationError
from msgspec.structs import replace

from ipc_lint import __version__
from ipc_lint.beginning import Beginning, beginning
from ipc_lint.cache import Cache, key_of, own_stamp
from ipc_lint.crew import Crew
from ipc_lint.files.cache_folder import folder_for
from ipc_lint.files.contents import Contents
from ipc_lint.files.discover import project_files
from ipc_lint.files.project import Project
from ipc_lint.files.words import Words
from ipc_lint.model import Problem
from ipc_lint.presets import fields_of
from ipc_lint.remember import Checked, recalled, remembered
from ipc_lint.settings import DEFAULT_EXCLUDE, Settings
from ipc_lint.snapshot import Snapshot
from ipc_lint.suppress.words import WORDS, may_hold_suppressions
from ipc_lint.track import Track, untracked

# What a value that is not ours may lead to.
_MISFITS = (TypeError, LookupError, ValueError, ArithmeticError, AttributeError, RecursionError)


class Part:
    """The files of a project; ``mine`` are those that were asked for."""

    def __init__(
        self,
        project: Project,
        mine: set[str],
        settings: Settings,
        contents: Mapping[str, bytes],
        track: Track = untracked,
        crew: Crew | None = None,
        *,
        whole: bool = False,
    ) -> None:
        """``whole``: the files that were asked for are all that the project has."""
        self.root = project.root
        self.mine = mine
        self.settings = settings
        self.track = track
        # What the user excludes is not reported on; what it defines is known all the same.
        self.files = sorted(mine if whole else {*project_files(project, context(settings)), *mine})
        self.cache = _cache(settings, project.root)
        self.contents = Contents(self.files, contents, track, crew, watched=self.cache is not None)
        self.words = Words(self.contents, WORDS)

    @cached_property
    def beginning(self) -> Beginning:
        """What is looked for first."""
        return beginning(self.settings, self.files)

    def begin(self) -> None:
        """Let helpers begin to read, while this process loads what comes after."""
        self.words.begin([*self.beginning.words, *self.beginning.stubs])

    @property
    def unread(self) -> list[Problem]:
        """What is wrong with those of the files asked for that could not be read."""
        return [problem for path, problem in self.contents.unread.items() if path in self.mine]

    @cached_property
    def spoken(self) -> set[str]:
        """The files asked for that may hold suppressions."""
        held = self.contents.some(path for path in self.words.holding(WORDS) if path in self.mine)
        return {path for path, data in held if may_hold_suppressions(data)}

    def tell_spoken(self) -> None:
        """Tell them now, not when they are asked for."""
        _ = self.spoken

    def data(self, path: str) -> bytes:
        """What is in a file; nothing in one that can't be read."""
        return next((data for _, data in self.contents.some([path])), b"")

    @cached_property
    def stamp(self) -> str:
        """What everything that is remembered depends on."""
        return "\n".join([__version__, own_stamp(), sys.version])

    @cached_property
    def _keys(self) -> list[str]:
        """What results are remembered under: that of the whole project, that of the files asked for."""
        settings = self.settings
        said = repr((settings.preset, settings.overrules, settings.ignore_functions, settings.config))
        words = [self.stamp, self.root, said, *fields_of(settings)]
        whole = key_of([*words, "", *self.files])
        return [whole] if len(self.mine) == len(self.files) else [whole, key_of([whole, *sorted(self.mine)])]

    def recall(self) -> Checked | None:
        """What an earlier check of the same contents gave, if it is remembered."""
        for key in self._keys if self.cache is not None else ():
            try:
                found = self._recalled(key)
            except (*_MISFITS, ValidationError):  # another shape: not ours
                continue
            if found is not None:
                return found
        return None

    def _recalled(self, key: str) -> Checked | None:
        entry = None if self.cache is None else self.cache.load(key)
        if self.cache is None or entry is None:
            return None
        snapshot = Snapshot.loaded(entry["snapshot"])
        now, changed = snapshot.compared(self.contents, self.files)
        if changed:
            self.words.know(now.holders(self.files, changed), changed)
            return None
        checked = recalled(entry["result"], self.root)
        self.spoken = {self.files[place] for place in entry["spoken"]} & self.mine
        if now != snapshot:
            self.cache.store(key, {**entry, "snapshot": now})
        others = set(self.files) - self.mine
        return checked._replace(
            findings=tuple(finding for finding in checked.findings if finding.path not in others),
            problems=tuple(problem for problem in checked.problems if problem.path not in others),
        )

    def remember(self, checked: Checked) -> None:
        """Keep a result for the next run, unless something was in motion."""
        if self.cache is None or self.contents.unread or not self.contents.is_steady:
            return
        held = {word: self.words.holders(word) for word in self.words.looked_for}
        snapshot = Snapshot.taken(self.contents, self.files, held)
        spoken = [place for place, path in enumerate(self.files) if path in self.spoken]
        entry = {"snapshot": snapshot, "spoken": spoken, "result": remembered(checked, self.root)}
        self.cache.store(self._keys[-1], entry)


def _cache(settings: Settings, root: str) -> Cache | None:
    """Where results are remembered, if they are."""
    return None if settings.cache is None else Cache(settings.cache or folder_for(root))


def may_be_remembered(settings: Settings, folder: str) -> bool:
    """Whether there has been a run that remembered something, if a folder is the root of a project."""
    return settings.cache is not None and os.path.isdir(settings.cache or folder_for(folder))


def context(settings: Settings) -> Settings:
    """The settings by which the files are found that only have to be known."""
    return replace(settings, exclude=DEFAULT_EXCLUDE, extend_exclude=(), force_exclude=False)
