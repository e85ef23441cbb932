"""Who imports whom, and what is loaded when."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ipc_lint
from tests.trees import write

SOURCE = Path(ipc_lint.__file__).parent
# What each room may import of the others, lowest first; anything may be imported within a room.
ROOMS: dict[str, set[str]] = {
    "model": set(),
    "codes": set(),
    "settings": set(),
    "presets": {"settings"},
    "cache": set(),
    "remember": {"model"},
    "track": set(),
    "depth": set(),
    "turns": set(),
    "crew": {"depth", "turns"},
    "needles": set(),
    "files": {"cache", "crew", "model", "needles", "settings", "track", "turns"},
    "snapshot": {"cache", "files"},
    "beginning": {"files", "presets", "settings"},
    "config": {"codes", "settings", "files"},
    "proof": set(),
    "suppress": {"codes", "model", "files", "proof"},
    "selection": {"codes", "model", "settings", "files"},
    "baseline": {"model"},
    "since": {"model"},
    "facts": {"needles"},
    "index": {"facts"},
    "contract": {"settings", "facts", "index", "model"},
    "judge": {"facts", "index", "contract", "model"},
    "sites": {"files", "judge", "model"},
    "rules": {"sites", "model", "proof", "suppress"},
    "report": {"model"},
    "uses": {"needles"},
    "search": {"files", "index", "uses"},
    "scouting": {"cache", "crew", "facts", "files", "track", "turns"},
    "gather": {
        "beginning",
        "files",
        "settings",
        "facts",
        "index",
        "contract",
        "scouting",
        "search",
        "model",
        "track",
    },
    "part": {
        *(
            "beginning",
            "cache",
            "crew",
            "files",
            "model",
            "presets",
            "remember",
            "settings",
            "snapshot",
            "suppress",
        ),
        "track",
    },
    "locating": {"files", "judge", "model", "rules", "sites"},
    "checking": {
        *("contract", "gather", "judge", "locating", "model", "part", "presets", "remember"),
        *("scouting", "settings", "turns"),
    },
    "sift": {
        *("model", "files", "suppress", "selection", "baseline", "since", "rules", "part", "presets"),
        *("remember",),
    },
    "fix": {"depth", "files", "model", "proof", "suppress"},
    "engine": {
        *(
            "checking",
            "depth",
            "crew",
            "files",
            "model",
            "part",
            "presets",
            "remember",
            "settings",
            "sift",
            "since",
        ),
        *("track",),
    },
    "stdin": set(),
    "cli": {
        *(
            "model",
            "cache",
            "codes",
            "crew",
            "settings",
            "files",
            "config",
            "baseline",
            "since",
            "engine",
            "fix",
        ),
        *("presets", "report", "rules", "stdin", "track"),
    },
    "codemod": {"model", "settings", "files", "config", "engine", "fix"},
    "__main__": {"cli"},
}
# What of other packages, besides msgspec for the nouns (they are made by the hundred thousand, which it
# does in a sixth of the time); everything else is of the standard library.
PACKAGES: dict[str, set[str]] = {
    "cli": {"click"},
    "needles": {"stringzilla"},
    # To say which Python a syntax error needs; for .gitignore; for config files before Python 3.11.
    "files": {"libcst", "pathspec", "tomli", "tomllib"},
    "sites": {"libcst"},
    "rules": {"libcst"},
    "codemod": {"libcst"},
}


def room_of(path: Path) -> str:
    """The folder or file directly below the package."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """The modules a file imports, also inside functions and for type checkers."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        match node:
            case ast.Import(names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module, names, level):
                assert level == 0, f"{path}: relative import"
                assert module
                # A module or a name, as far as one can see.
                yield from (f"{module}.{alias.name}" for alias in names)


def split(path: Path) -> tuple[set[str], set[str]]:
    """The other rooms that a file imports, and the packages."""
    names = [name.split(".") for name in imported(path)]
    rooms = {parts[1] for parts in names if parts[0] == "ipc_lint" and parts[1] != "__version__"}
    packages = {parts[0] for parts in names} - sys.stdlib_module_names - {"ipc_lint"}
    return rooms - {room_of(path)}, packages


def files() -> list[Path]:
    """All files of the package but its root."""
    return [path for path in sorted(SOURCE.rglob("*.py")) if path != SOURCE / "__init__.py"]


@pytest.mark.parametrize("path", files(), ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_a_file_imports_only_what_its_room_may(path: Path) -> None:
    rooms, packages = split(path)
    assert rooms <= ROOMS[room_of(path)]
    assert packages <= PACKAGES.get(room_of(path), set()) | {"msgspec"}


def test_the_rooms_are_in_order() -> None:
    names = list(ROOMS)
    assert all(names.index(below) < names.index(room) for room, rooms in ROOMS.items() for below in rooms)
    assert {room_of(path) for path in files()} == set(names)


def test_only_one_file_of_files_needs_libcst() -> None:
    users = [path.name for path in files() if room_of(path) == "files" and "libcst" in split(path)[1]]
    assert users == ["syntax.py"]


def loaded_after(*args: str, cwd: Path) -> set[str]:
    """The modules that a run of the command line has loaded when it ends."""
    code = (
        "import sys\nfrom ipc_lint.cli import cli\n"
        "try:\n    cli.main(sys.argv[1:], standalone_mode=False)\n"
        "finally:\n    print(*sys.modules, file=sys.stderr)\n"
    )
    command = [sys.executable, "-c", code, *args]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=True)
    return set(done.stderr.split("\n")[-2].split())


SERVER = """
class Message:
    rid: str | None = None
    reply_to: str | None = None

class Done(Message):
    pass

class Job:
    def __init__(self, rid, reply_to=None):
        self.rid = rid
        self.reply_to = reply_to

def stamp(output: Message, job: Job):
    output.reply_to = job.reply_to

def admit(message: Message):
    return Job(message.rid, reply_to=message.reply_to)
"""


FAULTY = SERVER.replace(", reply_to=message.reply_to)", ")")


@pytest.mark.parametrize(("server", "needs_libcst"), [(SERVER, False), (FAULTY, True)])
def test_libcst_is_loaded_only_if_there_is_something_to_show(
    server: str, needs_libcst: bool, tmp_path: Path
) -> None:
    write(tmp_path, {"server.py": server})
    loaded = loaded_after("check", "--field", "reply_to", "--no-preset", ".", cwd=tmp_path)
    assert "ipc_lint.engine" in loaded
    assert ("libcst" in loaded) == needs_libcst


def test_the_version_is_said_without_the_engine(tmp_path: Path) -> None:
    loaded = loaded_after("--version", cwd=tmp_path)
    assert "ipc_lint.cli" in loaded
    assert not {"libcst", "ipc_lint.engine"} & loaded
