"""What a run is asked to do; the command line and (later) a config file fill it in."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_EXCLUDE: tuple[str, ...] = (
    ".bzr", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".ipc_lint_cache", ".ipynb_checkpoints",
    ".mypy_cache", ".nox", ".pants.d", ".pyenv", ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tox",
    ".venv", ".vscode", "__pypackages__", "_build", "buck-out", "build", "dist", "node_modules",
    "site-packages", "venv",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices of one run.

    ``fields`` are the carried attributes (the batch field of ``x`` is ``xs``); empty means those of
    the preset. ``preset`` names a table of :mod:`ipc_lint.presets` or is None. ``select`` and
    ``ignore`` hold codes, prefixes of codes, or rule names. ``exclude`` and ``extend_exclude`` are
    gitignore-style patterns, matched below the folder that was asked for; explicit files pass them
    unless ``force_exclude``. ``cache`` is the folder that remembers results, "" for the usual one at the
    root of each project; None remembers nothing.
    """

    fields: tuple[str, ...] = ()
    preset: str | None = "sglang"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    respect_gitignore: bool = True
    cache: str | None = None
