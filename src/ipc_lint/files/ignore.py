"""Which paths are passed over: .gitignore files and the exclude patterns of the settings."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from ipc_lint.settings import Rooted, Settings

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_GLOB = re.compile(r"[*?\[\]\\]")


class BadPattern(ValueError):
    """An exclude pattern that means nothing."""


class Patterns:
    """gitignore lines, compiled. ``decide`` costs next to nothing for a name no line can touch.

    pathspec tries every pattern on every path: 130 µs with 200 lines. Parents are decided before
    their children, so a pattern can only touch an entry through its last segment.
    """

    def __init__(self, lines: Iterable[str], *, strict: bool = False) -> None:
        from pathspec import GitIgnoreSpec  # 40 ms: only for those who have patterns

        self._names: set[str] = set()
        self._wide: list[re.Pattern[str]] = []
        suffixes: list[str] = []
        compiled = []
        for line in lines:
            # To pathspec `a/**` means the folder `a/` itself, too. In a walk `a/*` says the same.
            if line.endswith("/**") and line[0] != "!":
                line = line[:-1]
            try:
                patterns = [p for p in GitIgnoreSpec.from_lines([line]).patterns if p.include is not None]
            except (ValueError, re.error):
                if strict:
                    raise BadPattern(line) from None
                continue  # git passes over such a line too
            compiled += patterns
            last = line.strip().rstrip("/").rpartition("/")[2].removeprefix("!")
            if not _GLOB.search(last):
                self._names.add(last)
            elif last[0] == "*" and last[1:] and not _GLOB.search(last[1:]):
                suffixes.append(last[1:])
            else:
                self._wide += [re.compile(p.regex.pattern) for p in patterns if p.regex]
        self._suffixes = tuple(suffixes)
        self._spec: GitIgnoreSpec = GitIgnoreSpec(compiled)

    def decide(self, path: str, name: str, is_folder: bool) -> bool | None:
        """Whether ``path`` is ignored or taken back in; None if no line speaks of it."""
        if is_folder:
            path += "/"
        if not (
            name in self._names
            or name.endswith(self._suffixes)
            or any(pattern.search(path) for pattern in self._wide)
        ):
            return None
        return self._spec.check_file(path).include


class Layer(Struct, frozen=True):
    """The patterns that one folder lays down for all that is below it."""

    prefix: str
    patterns: Patterns


Layers = tuple[Layer, ...]


def ignored(layers: Layers, path: str, name: str, is_folder: bool) -> bool:
    """Whether git ignores ``path``: the deepest folder with an opinion wins."""
    for layer in reversed(layers):
        below = _slashed(path[len(layer.prefix) :])
        verdict = layer.patterns.decide(below, name, is_folder)
        if verdict is not None:
            return verdict
    return False


def layers_in(folder: str, names: Iterable[str], above: Layers) -> Layers:
    """The layers that hold below ``folder``, which has entries called ``names``."""
    if ".git" in names:  # a repository of its own: what is above says nothing here
        above = _layer(folder, os.path.join(folder, ".git", "info", "exclude"))
    if ".gitignore" in names:
        above += _layer(folder, os.path.join(folder, ".gitignore"))
    return above


def layers_above(folder: str) -> Layers:
    """The layers from the git root down to the parent of ``folder``; none if they ignore it.

    Who asks for an ignored folder wants it checked, and one that is a git root has no parents.
    """
    root = git_root(folder)
    if root is None or root == folder:
        return ()
    layers: Layers = ()
    here = root
    for path, name in below(folder, root):
        layers = layers_in(here, _present(here), layers)
        if ignored(layers, path, name, True):
            return ()
        here = path
    return layers


def git_root(path: str) -> str | None:
    """The nearest folder at or above ``path`` that holds ``.git``."""
    for folder in ancestors(path):
        if os.path.lexists(os.path.join(folder, ".git")):
            return folder
    return None


def ancestors(path: str) -> Iterator[str]:
    """``path`` and the folders above it, up to the root of the file system."""
    while True:
        yield path
        parent = os.path.dirname(path)
        if parent == path:
            return
        path = parent


def below(path: str, root: str) -> Iterator[tuple[str, str]]:
    """The path and name of each step from ``root`` (left out) down to ``path``."""
    here = root
    for name in path[len(root) :].strip(os.sep).split(os.sep):
        if name:
            here = os.path.join(here, name)
            yield here, name


class Excludes:
    """The exclude patterns: plain names, globs of names, and patterns of paths from some folder.

    That folder is the one that the pattern was written in, or else the working directory.
    """

    def __init__(self, settings: Settings, cwd: str) -> None:
        self._cwd = cwd
        self._config = settings.config
        self._names: set[str] = set()
        by_name: list[str] = []
        by_path: list[tuple[str, list[str]]] = []
        for given in (*settings.exclude, *settings.extend_exclude):
            pattern, base = (given, cwd) if isinstance(given, str) else given
            bare = pattern.removeprefix("!").rstrip("/")
            if "/" in bare:
                if not by_path or by_path[-1][0] != base:
                    by_path.append((base, []))
                by_path[-1][1].extend(_anchored(pattern, base))
            elif bare == pattern and not _GLOB.search(bare):
                self._names.add(bare)
            else:
                if pattern[:1] == "!":
                    self._names.discard(bare)
                by_name.append(pattern)
        self._by_name = Patterns(by_name, strict=True) if by_name else None
        # The last one that speaks of a path decides.
        self._by_path = [(base, Patterns(lines, strict=True)) for base, lines in reversed(by_path)]

    def exclude(self, path: str, name: str, is_folder: bool) -> bool:
        """Whether a pattern speaks of this entry itself (its parents were decided before)."""
        if name in self._names:
            return True
        if self._by_name and self._by_name.decide(name, name, is_folder):
            return True
        for base, patterns in self._by_path:
            decided = patterns.decide(_slashed(os.path.relpath(path, base)), name, is_folder)
            if decided is not None:
                return decided
        return False

    def base(self, path: str) -> str:
        """The folder that a path named by the user is seen from: the config's, the cwd, its git root."""
        if self._config is not None and is_within(path, os.path.dirname(self._config)):
            return os.path.dirname(self._config)
        if is_within(path, self._cwd):
            return self._cwd
        return git_root(os.path.dirname(path)) or os.path.dirname(path)


def matches(given: Rooted, path: str) -> bool:
    """Whether a pattern speaks of a file or of a folder around it; with ``!`` before it, of all others."""
    bare = given.pattern.removeprefix("!")
    patterns = Patterns(_anchored(bare, given.folder) if "/" in bare.rstrip("/") else [bare], strict=True)
    found = is_within(path, given.folder) and any(
        patterns.decide(_slashed(os.path.relpath(step, given.folder)), name, step != path)
        for step, name in below(path, given.folder)
    )
    return found is not given.pattern.startswith("!")


def _anchored(pattern: str, base: str) -> list[str]:
    """The pattern with its ``.``, ``..`` and absolute beginning worked out, as seen from ``base``."""
    sign = "!" if pattern[:1] == "!" else ""
    path = pattern.removeprefix("!")
    slash = "/" if path.endswith("/") else ""
    # By a leading slash gitignore means the base, ruff the file system: both count.
    wholes = {os.path.join(base, path.lstrip("/")), os.path.join(base, path)}
    forms = sorted(os.path.relpath(whole, base) for whole in wholes)
    return [f"{sign}/{_slashed(form)}{slash}" for form in forms]


def hidden(path: str, root: str, excludes: Excludes, gitignore: bool) -> bool:
    """Whether a walk from ``root`` would pass ``path`` over."""
    layers = layers_above(root) if gitignore else ()
    here = root
    for step, name in below(path, root):
        is_folder = step != path or os.path.isdir(path)
        if gitignore:
            layers = layers_in(here, _present(here), layers)
        if excludes.exclude(step, name, is_folder) or ignored(layers, step, name, is_folder):
            return True
        here = step
    return False


def is_within(path: str, folder: str) -> bool:
    """Whether ``path`` is ``folder`` or lies below it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _present(folder: str) -> list[str]:
    names = (".git", ".gitignore")
    return [name for name in names if os.path.lexists(os.path.join(folder, name))]


def _layer(folder: str, file: str) -> Layers:
    try:
        with open(file, encoding="utf-8-sig", errors="surrogateescape") as lines:
            patterns = Patterns(line.rstrip("\n") for line in lines)
    except OSError:  # no such file, or one that git could not read either
        return ()
    return (Layer(folder.rstrip(os.sep) + os.sep, patterns),)


def _slashed(path: str) -> str:
    return path if os.sep == "/" else path.replace(os.sep, "/")
