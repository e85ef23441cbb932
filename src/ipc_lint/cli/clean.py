"""``ipc-lint clean``."""

from __future__ import annotations

import os

import click

from ipc_lint.cli.exits import CLEAN, INCOMPLETE
from ipc_lint.cli.options import cache_folder
from ipc_lint.cli.output import say


@click.command()
@click.argument("path", default=".", type=click.Path(exists=True))
@cache_folder("Remove this one.")
def clean(path: str, cache_dir: str | None) -> int:
    """Remove what is remembered of the project of a path (default: the current folder).

    Where there is neither version control nor a config, that is all that is remembered of such folders.
    """
    from ipc_lint.cache import clean as remove
    from ipc_lint.config.resolve import Configs
    from ipc_lint.files.cache_folder import folder_for
    from ipc_lint.files.paths import folder_of, shown
    from ipc_lint.files.project import find_project

    full = os.path.abspath(path)
    root = find_project(full, Configs()(folder_of(full))).root
    folder = cache_dir or folder_for(root)
    try:
        done = remove(folder)
    except OSError as error:
        say(f"ipc-lint: {folder}: {error.strerror}")
        return INCOMPLETE
    say(f"Removed {shown(folder)}" if done else "Nothing is remembered")
    return CLEAN
