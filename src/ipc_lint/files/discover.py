"""From the paths of the command line to the Python files that are meant."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Container, Sequence

from msgspec import Struct

from ipc_lint.files.contents import WORTH_SHARING, NotRegular
from ipc_lint.files.ignore import Excludes, Layers, below, ignored, is_within, layers_above, layers_in
from ipc_lint.files.paths import folder_of
from ipc_lint.files.project import MARKS, Project
from ipc_lint.model import Problem, Skipped
from ipc_lint.settings import Settings, SettingsOf, everywhere

SUFFIXES = (".py", ".pyi")
_EXCLUDED, _IGNORED = "a pattern of the excludes matches it", "git ignores it"


class Discovery(Struct, frozen=True):
    """The files to check, absolute, sorted and each once; and the paths that lead nowhere.

    ``skipped`` are the Python files and the folders that were passed over. ``unmarked`` are folders
    that hold nothing which marks the root of a project.
    """

    files: tuple[str, ...]
    problems: tuple[Problem, ...]
    skipped: tuple[Skipped, ...] = ()
    unmarked: frozenset[str] = frozenset()


def discover(
    paths: Sequence[str],
    settings: Settings | SettingsOf,
    given: Container[str] = (),
    found_many: Callable[[], None] | None = None,
) -> Discovery:
    """The Python files named by ``paths`` or lying below them.

    The (absolute) paths in ``given`` are files, whether they are there or not. ``found_many`` is called,
    once, when there turn out to be enough files to share the work on them.
    """
    walk = _Walk(everywhere(settings), given, found_many)
    for path in paths:
        walk.ask(os.path.abspath(path))
    problems = sorted(set(walk.problems), key=lambda problem: problem.path)
    skipped = sorted(Skipped(path, reason) for path, reason in walk.skipped.items())
    files = tuple(sorted(walk.files.values()))
    return Discovery(files, tuple(problems), tuple(skipped), frozenset(walk.unmarked))


def project_files(project: Project, settings: Settings) -> tuple[str, ...]:
    """The Python files of a project, found by the same rules; what cannot be read is left out."""
    walk = _Walk(everywhere(settings))
    for path in project.folders:
        walk.take(path)
    return tuple(sorted(walk.files.values()))


Link = tuple[str, Layers]


class _Walk:
    """One search; a real path is listed and walked once, under the name it was found by first."""

    def __init__(
        self,
        settings: SettingsOf,
        given: Container[str] = (),
        found_many: Callable[[], None] | None = None,
    ) -> None:
        self.files: dict[str, str] = {}
        self.problems: list[Problem] = []
        self.skipped: dict[str, str] = {}
        self.unmarked: set[str] = set()
        self._folders: set[str] = set()
        self._settings = settings
        self._given = given
        self._found_many = found_many
        self._cwd = os.getcwd()
        self._excludes: dict[Settings, Excludes] = {}

    def ask(self, path: str) -> None:
        """Take a path that the user named: a folder is walked, anything else is a file."""
        try:
            # To open a pipe is to be heard by who writes to it.
            if path not in self._given and not _ends(os.stat(path).st_mode):
                raise NotRegular
        except OSError as error:
            self._problem(path, error)
            return
        if self._settings(folder_of(path)).force_exclude and self._is_excluded(path):
            self.skipped[path] = _EXCLUDED
            return
        self.take(path)

    def _excludes_in(self, folder: str) -> Excludes:
        """The patterns that hold for what is in a folder."""
        settings = self._settings(folder)
        if settings not in self._excludes:
            self._excludes[settings] = Excludes(settings, self._cwd)
        return self._excludes[settings]

    def _is_excluded(self, path: str) -> bool:
        """Whether a path named by the user would not be reached by a walk from the outermost config."""
        base = self._excludes_in(os.path.dirname(path)).base(path)
        while True:
            above = self._settings(os.path.dirname(base)).config
            if above is None or not is_within(base, os.path.dirname(above)) or base == os.path.dirname(above):
                break
            base = os.path.dirname(above)
        return any(
            self._excludes_in(os.path.dirname(step)).exclude(step, name, step != path or os.path.isdir(path))
            for step, name in below(path, base)
        )

    def take(self, path: str) -> None:
        """Walk a folder; list anything else."""
        if os.path.isdir(path):
            self._tree(path)
        else:
            self.files.setdefault(os.path.realpath(path), path)

    def _tree(self, top: str) -> None:
        """Walk a folder. Links come last, so that a file keeps its real name if that is found."""
        real = os.path.realpath(top)
        layers = layers_above(top) if self._settings(top).respect_gitignore else ()
        links = self._walk(top, real, layers)
        while links:
            deeper: list[Link] = []
            for path, its_layers in sorted(links, key=lambda link: link[0]):
                deeper += self._follow(path, its_layers, real)
            links = deeper

    def _walk(self, top: str, real_top: str, above: Layers) -> list[Link]:
        """List the files below a folder; hands back the symbolic links."""
        links: list[Link] = []
        stack = [(top, real_top, above)]
        while stack:
            folder, real, layers = stack.pop()
            if real in self._folders:
                continue
            self._folders.add(real)
            entries = self._entries(folder)
            if entries is None:
                continue
            excludes = self._excludes_in(folder)
            heeds_git = self._settings(folder).respect_gitignore
            names = {entry.name for entry in entries}
            if MARKS.isdisjoint(names):
                self.unmarked.add(folder)
            layers = layers_in(folder, names, layers) if heeds_git else ()
            inside = os.path.join(real, "")
            for entry in entries:
                name, path = entry.name, entry.path
                link = entry.is_symlink()
                is_folder = os.path.isdir(path) if link else entry.is_dir()
                if not (is_folder or name.endswith(SUFFIXES)):
                    continue
                if self._skip(excludes, layers, path, name, is_folder):
                    continue
                if link:
                    links.append((path, layers))
                elif is_folder:
                    stack.append((path, inside + name, layers))
                elif entry.is_file():  # a pipe called x.py would never end
                    self.files.setdefault(inside + name, path)
            if self._found_many is not None and len(self.files) >= WORTH_SHARING:
                self._found_many()
                self._found_many = None
        return links

    def _entries(self, folder: str) -> list[os.DirEntry[str]] | None:
        try:
            with os.scandir(folder) as entries:
                return list(entries)
        except OSError as error:
            self._problem(folder, error)
            return None

    def _skip(self, excludes: Excludes, layers: Layers, path: str, name: str, is_folder: bool) -> bool:
        if excludes.exclude(path, name, is_folder):
            self.skipped[path] = _EXCLUDED
        elif ignored(layers, path, name, is_folder):
            self.skipped[path] = _IGNORED
        return path in self.skipped

    def _follow(self, path: str, layers: Layers, real_top: str) -> list[Link]:
        real = os.path.realpath(path)
        if os.path.isdir(path):
            # A link to a folder above would lead out of what was asked for.
            return [] if is_within(real_top, real) else self._walk(path, real, layers)
        if os.path.isfile(path):
            self.files.setdefault(real, path)
        elif not os.path.exists(path):
            self._problem(path, FileNotFoundError())
        return []

    def _problem(self, path: str, error: OSError) -> None:
        if os.path.islink(path) and not os.path.exists(path):
            message = f"a symbolic link to nowhere ({os.readlink(path)})"
        else:
            message = (error.strerror or str(error)).lower()
        self.problems.append(Problem(path, message))


def _ends(mode: int) -> bool:
    """Whether something is a file or a folder: pipes, sockets and devices have no end."""
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)
