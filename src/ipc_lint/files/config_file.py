"""The config file of a folder: is there one, and which."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache

from ipc_lint.files.disk import Disk
from ipc_lint.files.ignore import ancestors

OWN, SHARED = "ipc-lint.toml", "pyproject.toml"
TABLE = ("tool", "ipc-lint")
_MARK = b"[tool.ipc-lint"
# What the table may be called by mistake: it is ours all the same, and its reader says so.
LIKE_OURS = "ipc[-_ ]?lint"
_MISSPELT = re.compile(rf"^\[(?:tool\.)?{LIKE_OURS}(?=[.\]])".encode(), re.MULTILINE | re.IGNORECASE)


def config_in(folder: str) -> str | None:
    """The config file in a folder: ``ipc-lint.toml``, else a pyproject.toml with a table for us."""
    own = os.path.join(folder, OWN)
    if os.path.isfile(own):
        return own
    shared = os.path.join(folder, SHARED)
    data = Disk().head(shared, -1)
    if b"ipc-lint" in data and _has_table(data):
        return shared
    return shared if _MISSPELT.search(data) else None


def upwards(folder: str) -> Iterator[str]:
    """The folder and those above it, short of the home folder and of the whole disk."""
    for here in ancestors(folder):
        if here != folder and is_top(here):
            return
        yield here


def is_top(folder: str) -> bool:
    """Whether a folder holds more than projects: the home folder, the whole disk."""
    return folder in _names_of(os.path.expanduser("~")) or folder == os.path.dirname(folder)


@cache
def _names_of(home: str) -> tuple[str, str]:
    return home, os.path.realpath(home)  # every folder of a project asks


def _has_table(data: bytes) -> bool:
    from ipc_lint.files.toml import NotToml, parse  # few have a file that speaks of us

    try:
        tool = parse(data.decode()).get(TABLE[0])
    except (NotToml, UnicodeDecodeError, RecursionError):
        return _MARK in data  # it was meant to be one: whoever reads it says what is wrong
    return isinstance(tool, dict) and TABLE[1] in tool
