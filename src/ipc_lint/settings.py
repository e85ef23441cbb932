"""What a run is asked to do, in three layers: the defaults, a config file, the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from keyword import iskeyword
from typing import Literal, NamedTuple, TypedDict

from msgspec import Struct
from msgspec.structs import replace

DEFAULT_EXCLUDE: tuple[str, ...] = (
    ".bzr", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".ipc_lint_cache", ".ipynb_checkpoints",
    ".mypy_cache", ".nox", ".pants.d", ".pyenv", ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tox",
    ".venv", ".vscode", "__pypackages__", "_build", "buck-out", "build", "dist", "node_modules",
    "site-packages", "venv",
)  # fmt: skip


class Rooted(NamedTuple):
    """A gitignore-style pattern and the folder that it is seen from."""

    pattern: str
    folder: str


# A plain string is seen from the working directory.
Pattern = str | Rooted
Words = tuple[str, ...]


class Layer(TypedDict, total=False):
    """Some of the settings: those that a config file or the command line speaks of."""

    fields: tuple[str, ...]
    preset: str | None
    select: Words
    ignore: Words
    per_file_ignores: tuple[tuple[Rooted, Words], ...]
    severity: tuple[tuple[str, Literal["error", "warning"]], ...]
    exclude: tuple[Pattern, ...]
    extend_exclude: tuple[Pattern, ...]
    force_exclude: bool
    respect_gitignore: bool
    baseline: str | None
    carriers: tuple[str, ...]
    senders: tuple[str, ...]
    stampers: tuple[str, ...]
    addressed_senders: tuple[str, ...]
    ignore_functions: tuple[str, ...]
    config: str | None
    cache: str | None


class Overrules(Struct, frozen=True):
    """What is said of a contract besides what is inferred: qualified names.

    Senders and stampers may have their roles behind them: ``pkg.out.push(message, request)`` names
    the parameters that are the output and the origin.
    """

    carriers: tuple[str, ...] = ()
    senders: tuple[str, ...] = ()
    stampers: tuple[str, ...] = ()
    addressed_senders: tuple[str, ...] = ()


class Settings(Struct, frozen=True):
    """The choices that hold for some files.

    ``fields`` are the carried attributes (the batch field of ``x`` is ``xs``); empty means those of
    the preset. ``preset`` names a table of :mod:`ipc_lint.presets` or is None. ``select`` and
    ``ignore`` hold codes, prefixes of codes, or rule names. ``exclude`` and ``extend_exclude`` are
    gitignore-style patterns, matched below the folder that was asked for; explicit files pass them
    unless ``force_exclude``. ``baseline`` is the (absolute) path of the known findings, ``config``
    that of the file that some of this comes from. ``cache`` is the folder that remembers results, ""
    for the usual one at the root of each checkout; None remembers nothing.
    """

    fields: tuple[str, ...] = ()
    preset: str | None = "sglang"
    select: Words = ()
    ignore: Words = ()
    per_file_ignores: tuple[tuple[Rooted, Words], ...] = ()
    severity: tuple[tuple[str, Literal["error", "warning"]], ...] = ()
    exclude: tuple[Pattern, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[Pattern, ...] = ()
    force_exclude: bool = False
    respect_gitignore: bool = True
    baseline: str | None = None
    carriers: tuple[str, ...] = ()
    senders: tuple[str, ...] = ()
    stampers: tuple[str, ...] = ()
    addressed_senders: tuple[str, ...] = ()
    ignore_functions: tuple[str, ...] = ()
    config: str | None = None
    cache: str | None = None

    def apply(self, layer: Layer) -> Settings:
        """These settings with a layer on top. What it extends or ignores comes on top of what is there.

        A layer that selects rules begins anew: what was ignored below it no longer is.
        """
        below = () if "select" in layer else self.ignore
        merged: Layer = {
            **layer,
            "ignore": (*below, *layer.get("ignore", ())),
            "extend_exclude": (*self.extend_exclude, *layer.get("extend_exclude", ())),
        }
        return replace(self, **merged)

    @property
    def follows_something(self) -> bool:
        """Whether there is a field to look for."""
        return bool(self.fields) or self.preset is not None

    @property
    def overrules(self) -> Overrules:
        """What is said of the contract."""
        return Overrules(self.carriers, self.senders, self.stampers, self.addressed_senders)


class NothingToFollow(Exception):
    """No field and no preset, because of a config file or, without one, of the command line."""

    def __init__(self, config: str | None) -> None:
        super().__init__(config)
        self.config = config


SettingsOf = Callable[[str], Settings]
"""The settings that hold for the files in an (absolute) folder."""


def everywhere(settings: Settings | SettingsOf) -> SettingsOf:
    """The same settings for every folder, unless that is decided already."""
    if not isinstance(settings, Settings):
        return settings
    return lambda folder: settings


class NotAField(ValueError):
    """A name that no attribute can have; ``message`` says which."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def field_names(values: Iterable[str]) -> tuple[str, ...]:
    """The names in values that may hold commas. Raises NotAField."""
    given = [[part.strip() for part in value.split(",")] for value in values]
    if any(not any(parts) for parts in given):
        raise NotAField("it is empty")  # a variable that nobody set
    names = tuple(part for parts in given for part in parts if part)
    odd = [name for name in names if not name.isidentifier() or iskeyword(name)]
    if odd:
        raise NotAField(f"not the name of an attribute: {', '.join(odd)}")
    return names
