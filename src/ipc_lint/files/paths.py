"""Paths as the user writes them, and the folders that they speak of."""

from __future__ import annotations

import os


def shown(path: str) -> str:
    """A path as seen from the current folder, with slashes on every system.

    A stub of the preset (``<...>``) is no file, and stays what it is.
    """
    if path.startswith("<"):
        return path
    try:
        return os.path.relpath(path).replace(os.sep, "/")
    except ValueError:  # another drive
        return path.replace(os.sep, "/")


def folder_of(path: str) -> str:
    """A folder itself, the folder that anything else is in."""
    return path if os.path.isdir(path) else os.path.dirname(path)
