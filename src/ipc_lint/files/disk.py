"""The file system, as it would be if some files held something else."""

from __future__ import annotations

import os
from collections.abc import Mapping


class Disk:
    """Looks at files; ``contents`` are taken in place of what is at those (absolute) paths.

    A file that is not there is there for all who ask, if it has contents.
    """

    def __init__(self, contents: Mapping[str, bytes] | None = None) -> None:
        self._contents = contents or {}

    def is_file(self, path: str) -> bool:
        """Whether there is a file, which a pipe is not."""
        return path in self._contents or os.path.isfile(path)

    def is_folder(self, path: str) -> bool:
        """Whether there is a folder, or would have to be one."""
        return os.path.isdir(path) or any(name.startswith(path + os.sep) for name in self._contents)

    def head(self, path: str, size: int) -> bytes:
        """The first bytes of a file (all with -1); none if it can't be read."""
        if path in self._contents:
            data = self._contents[path]
            return data if size < 0 else data[:size]
        try:
            if not os.path.isfile(path):  # a pipe would never end
                return b""
            with open(path, "rb") as file:
                return file.read(size)
        except OSError:
            return b""

    def listing(self, folder: str) -> tuple[list[str], list[str]]:
        """The files and the folders in a folder, sorted; none if it can't be read."""
        here = {path: False for path in self._contents if os.path.dirname(path) == folder}
        try:
            with os.scandir(folder) as entries:
                here |= {entry.path: entry.is_dir(follow_symlinks=False) for entry in entries}
        except OSError:
            pass
        found = sorted(here.items())
        return [path for path, is_folder in found if not is_folder], [path for path, is_ in found if is_]
