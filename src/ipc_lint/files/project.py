"""The project around a path: the folder that module names start from, and what to index."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from ipc_lint.files.config_file import OWN, SHARED, config_in, upwards
from ipc_lint.files.disk import Disk
from ipc_lint.files.ignore import Excludes, ancestors, below, hidden
from ipc_lint.settings import Settings

_REPOSITORIES = (".git", ".hg")
# A folder that holds none of these is not marked as the root of a project.
MARKS = frozenset([OWN, SHARED, *_REPOSITORIES])
_READ = 65_536  # imports stand at the top
_SAMPLE = 30  # files looked at in one folder
_LOOKED_INTO = 8  # folders below one that has no files itself
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([A-Za-z_][\w.]*)[ \t]+import[ \t]+\(?\s*(\w+)|import[ \t]+([A-Za-z_][\w.]*))",
    re.MULTILINE,
)
Import = tuple[tuple[str, ...], str]  # the module's parts and the first name taken from it, or ""


class Project(Struct, frozen=True):
    """Modules are named from ``root``; the files at or below ``folders`` make up the project.

    The two differ where the root holds more than the project: site-packages, a home folder, ``/``.
    """

    root: str
    folders: tuple[str, ...]


def find_project(path: str, settings: Settings, contents: Mapping[str, bytes] | None = None) -> Project:
    """The project of one file or folder: by config, version control, imports, or packages.

    A root that would itself pass the path over (a virtual environment in a checkout) is none.
    ``contents`` are taken in place of what is in the files of those (absolute) paths.
    """
    path = os.path.abspath(path)
    disk = Disk(contents)
    is_folder = os.path.isdir(path)
    folder = path if is_folder else os.path.dirname(path)
    excludes = Excludes(settings, os.getcwd())

    def sees(root: str) -> bool:
        return not hidden(path, root, excludes, settings.respect_gitignore)

    for is_root in (_has_config, _has_repository):
        root = next(filter(is_root, upwards(folder)), None)
        if root and sees(root):
            return Project(root, (root,))
    for package in _by_imports(disk, path, folder):
        root = os.path.dirname(package)
        if sees(root):
            return Project(root, (package,))
    return _by_init_files(disk, folder) or Project(folder, (folder,) if is_folder else _around(disk, folder))


def is_marked(folder: str) -> bool:
    """Whether a folder is the root of a project of its own, by a config or version control."""
    return _has_config(folder) or _has_repository(folder)


def _has_config(folder: str) -> bool:
    return config_in(folder) is not None


def _has_repository(folder: str) -> bool:
    return any(os.path.lexists(os.path.join(folder, name)) for name in _REPOSITORIES)


def _by_imports(disk: Disk, path: str, folder: str) -> list[str]:
    """The folders on the way to ``path`` that files around it import from by their full name.

    An ``import a.b`` proves a folder ``a`` if ``b`` is in there. Outermost first: a test may be
    written to run from deep inside the package that its neighbours import as a whole.
    """
    packages = [step for step, name in below(folder, os.path.sep) if name.isidentifier()]
    tops = [os.path.basename(package) for package in packages]
    imports = {found for file in _witnesses(disk, path, folder) for found in _imports(disk, file, tops)}
    return [package for package in packages if _proven(disk, package, imports)]


def _witnesses(disk: Disk, path: str, folder: str) -> Iterator[str]:
    """The file itself, those beside it, below it where there are none, and above it."""
    if path != folder:
        yield path
    files, folders = _listing(disk, folder)
    yield from files
    if path == folder and not files:
        for _ in range(_LOOKED_INTO):
            if not folders:
                break
            files, deeper = _listing(disk, folders.pop(0))
            folders += deeper
            yield from files
    for above in list(upwards(folder))[1:]:
        yield from _listing(disk, above)[0]


def _listing(disk: Disk, folder: str) -> tuple[list[str], list[str]]:
    """A bounded sample of a folder's Python files, and its folders."""
    files, folders = disk.listing(folder)
    return [path for path in files if path.endswith((".py", ".pyi"))][:_SAMPLE], folders


def _imports(disk: Disk, file: str, tops: list[str]) -> set[Import]:
    """The absolute imports of a file, if it names one of ``tops`` at all."""
    head = disk.head(file, _READ)
    if not any(os.fsencode(top) in head for top in tops):
        return set()
    found = _IMPORT.findall(head)
    return {(tuple((module or plain).decode().split(".")), name.decode()) for module, name, plain in found}


def _proven(disk: Disk, package: str, imports: set[Import]) -> bool:
    top = os.path.basename(package)
    return any(parts[0] == top and _resolves(disk, package, parts[1:], name) for parts, name in imports)


def _resolves(disk: Disk, package: str, parts: tuple[str, ...], name: str) -> bool:
    if parts:
        return _is_module(disk, os.path.join(package, *parts))
    if not name:
        return False
    code = disk.head(os.path.join(package, "__init__.py"), _READ)
    return _is_module(disk, os.path.join(package, name)) or bool(re.search(rb"\b%s\b" % name.encode(), code))


def _is_module(disk: Disk, path: str) -> bool:
    return disk.is_folder(path) or disk.is_file(path + ".py") or disk.is_file(path + ".pyi")


def _by_init_files(disk: Disk, folder: str) -> Project | None:
    """The outermost package around a folder, by ``__init__.py`` files."""
    package = None
    for here in ancestors(folder):
        if not disk.is_file(os.path.join(here, "__init__.py")):
            break
        package = here
    return Project(os.path.dirname(package), (package,)) if package else None


def _around(disk: Disk, folder: str) -> tuple[str, ...]:
    """What belongs to a script: the files beside it, and the folders there that they import."""
    files, folders = _listing(disk, folder)
    names = [os.path.basename(path) for path in folders]
    tops = {parts[0] for file in files for parts, _ in _imports(disk, file, names)}
    return (*files, *(path for path in folders if os.path.basename(path) in tops))
