"""Which config holds where: the nearest one, between the defaults and the command line."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ipc_lint.files.config_file import config_in, is_top
from ipc_lint.files.paths import folder_of
from ipc_lint.settings import Layer, NothingToFollow, Settings

if TYPE_CHECKING:
    from ipc_lint.config.read import ConfigFile


class Configs:
    """The settings of every folder; each config file is read once."""

    def __init__(self, command_line: Layer | None = None, file: str | None = None) -> None:
        """``file`` holds everywhere, in place of what lies nearest."""
        self._command_line: Layer = command_line or {}
        self._file = None if file is None else os.path.abspath(file)
        self._by_folder: dict[str, Settings] = {}
        self._by_file: dict[str | None, Settings] = {}
        self._nearest_of: dict[str, str | None] = {}
        self._read: dict[str, ConfigFile] = {}

    def __call__(self, folder: str) -> Settings:
        """The settings that hold in a folder; BadConfig if they can't be read."""
        if folder not in self._by_folder:
            path = self._file or self._nearest(folder)
            if path not in self._by_file:
                self._by_file[path] = self._settings(path)
            self._by_folder[folder] = self._by_file[path]
        return self._by_folder[folder]

    def must_follow_something(self, paths: Iterable[str]) -> None:
        """NothingToFollow, or BadConfig, unless there is something to look for in all of some paths."""
        for path in map(os.path.abspath, paths):
            settings = self(folder_of(path))
            if not settings.follows_something:
                raise NothingToFollow(None if "preset" in self._command_line else settings.config)

    def without_baseline(self) -> Configs:
        """The same, but nothing is known."""
        return Configs({**self._command_line, "baseline": None}, self._file)

    def file(self, folder: str) -> ConfigFile | None:
        """The config file that holds in a folder."""
        path = self(folder).config
        return None if path is None else self._read[path]

    def _nearest(self, folder: str) -> str | None:
        """The config file in a folder or, where there is none, in the nearest one above."""
        if folder not in self._nearest_of:
            above = os.path.dirname(folder)
            found = config_in(folder)
            self._nearest_of[folder] = self._nearest(above) if found is None and not is_top(above) else found
        return self._nearest_of[folder]

    def _settings(self, path: str | None) -> Settings:
        settings = Settings()
        if path is not None:
            from ipc_lint.config.read import read  # loads all that knows TOML

            self._read[path] = read(path)
            settings = settings.apply(self._read[path].layer)
        return settings.apply(self._command_line)
