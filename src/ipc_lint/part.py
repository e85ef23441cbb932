"""One project of a run: its files, what is in them, and what an earlier run made of the same contents."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from ipc_lint import __version__
from ipc_lint.cache import NAME, Cache, key_of, own_stamp
from ipc_lint.files.discover import project_files
from ipc_lint.files.project import Project, is_marked
from ipc_lint.files.read import read_files
from ipc_lint.presets import fields_of
from ipc_lint.remember import Checked, recalled, remembered
from ipc_lint.settings import DEFAULT_EXCLUDE, Settings
from ipc_lint.suppress.statements import may_hold_suppressions
from ipc_lint.track import Track, untracked


class Part:
    """The files of a project; ``mine`` are those that were asked for, ``unread`` could not be read."""

    def __init__(
        self,
        project: Project,
        mine: set[str],
        settings: Settings,
        contents: Mapping[str, bytes],
        track: Track = untracked,
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
        self.spoken: set[str] = set()  # the files of ``mine`` that may hold suppressions
        self.data, self.unread = read_files(track("reading", self.files), contents, self._look)
        self._cache = _cache(settings, project.root)

    def _look(self, path: str, data: bytes) -> None:
        if path in self.mine and may_hold_suppressions(data):
            self.spoken.add(path)

    @cached_property
    def _key(self) -> str:
        """All that the result depends on."""
        settings = self.settings
        said = repr((settings.preset, settings.overrules, settings.ignore_functions, settings.config))
        words = [__version__, own_stamp(), sys.version, self.root, said, *fields_of(settings)]
        return key_of([*words, "", *sorted(self.mine), "", *self.files], self.data)

    def recall(self) -> Checked | None:
        """What an earlier check of the same contents gave, if it is remembered."""
        value = None if self._cache is None else self._cache.load(self._key)
        try:
            return None if value is None else recalled(value, self.root)
        except (TypeError, KeyError, ValueError):
            return None

    def remember(self, checked: Checked) -> None:
        """Keep a result for the next run."""
        if self._cache is not None:
            self._cache.store(self._key, remembered(checked, self.root))


def _cache(settings: Settings, root: str) -> Cache | None:
    """Where results are remembered: never in a folder that is nobody's checkout, unless it is named."""
    if settings.cache == "":
        return Cache(os.path.join(root, NAME)) if is_marked(root) else None
    return None if settings.cache is None else Cache(settings.cache)


def context(settings: Settings) -> Settings:
    """The settings by which the files are found that only have to be known."""
    return replace(settings, exclude=DEFAULT_EXCLUDE, extend_exclude=(), force_exclude=False)
