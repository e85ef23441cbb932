"""Which config holds where, through the real command line: from any directory, by any kind of path."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.project import json_of, run
from tests.server import ALONE
from tests.trees import write

# A monorepo: a root with its config, one package with its own, one sibling without.
OTHER = ALONE.replace("reply_to", "hop")
TREE = {
    ".git/HEAD": "",
    "pyproject.toml": '[tool.ipc-lint]\nfields = ["reply_to"]\nextend-exclude = ["gen/out"]\n',
    "desk.py": ALONE,
    "gen/out/made.py": ALONE,
    "mine/ipc-lint.toml": 'fields = ["hop"]\nextend-exclude = ["/made.py"]\n',
    "mine/desk.py": OTHER,
    "mine/made.py": OTHER,
    "mine/sub/desk.py": OTHER,
    "mine/sub/made.py": OTHER,
    "sibling/desk.py": ALONE,
    "sibling/other.py": OTHER,
}
EVERY = {"desk.py", "mine/desk.py", "mine/sub/desk.py", "mine/sub/made.py", "sibling/desk.py"}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("monorepo"), TREE)


def faulty(*args: str, cwd: Path, root: Path) -> set[str]:
    """The files with findings, as seen from the root."""
    report = json_of(run("check", "--output-format", "json", *args, cwd=cwd))
    assert report["errors"] == []
    return {os.path.relpath(cwd / finding["path"], root) for finding in report["findings"]}


@pytest.mark.parametrize("absolute", [False, True], ids=["relative", "absolute"])
@pytest.mark.parametrize("cwd", [".", "mine", "mine/sub", "sibling", "gen/out", ".."])
@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (".", EVERY),
        ("mine", {path for path in EVERY if path.startswith("mine")}),
        ("mine/sub", {"mine/sub/desk.py", "mine/sub/made.py"}),
        ("sibling", {"sibling/desk.py"}),
        ("mine/desk.py", {"mine/desk.py"}),
        ("sibling/other.py", set()),
        ("gen", set()),
        ("gen/out", {"gen/out/made.py"}),  # who asks for it wants it
    ],
)
def test_the_nearest_config_holds_from_everywhere(
    asked: str, found: set[str], cwd: str, absolute: bool, root: Path
) -> None:
    path = str(root / asked) if absolute else os.path.relpath(root / asked, root / cwd)
    assert faulty(path, cwd=root / cwd, root=root) == found


@pytest.mark.parametrize("cwd", [".", "mine", "gen/out", ".."])
@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("desk.py", {"desk.py"}),
        ("gen/out/made.py", set()),
        ("mine/made.py", set()),
        ("mine/sub/made.py", {"mine/sub/made.py"}),
    ],
)
def test_named_files_are_excluded_on_demand_from_everywhere(
    asked: str, found: set[str], cwd: str, root: Path
) -> None:
    path = os.path.relpath(root / asked, root / cwd)
    assert faulty("--force-exclude", path, cwd=root / cwd, root=root) == found


@pytest.mark.parametrize("cwd", [".", "mine", ".."])
def test_a_named_config_holds_everywhere(cwd: str, root: Path) -> None:
    config = os.path.relpath(root / "mine/ipc-lint.toml", root / cwd)
    found = faulty("--config", config, str(root), cwd=root / cwd, root=root)
    assert found == {"mine/desk.py", "mine/sub/desk.py", "mine/sub/made.py", "sibling/other.py"}


def test_paths_of_several_projects_in_one_run(root: Path) -> None:
    assert faulty("sibling", "mine/sub", "desk.py", cwd=root, root=root) == {
        "sibling/desk.py",
        "mine/sub/desk.py",
        "mine/sub/made.py",
        "desk.py",
    }


def test_the_command_line_has_the_last_word(root: Path) -> None:
    assert faulty("--field", "hop", "sibling", cwd=root, root=root) == {"sibling/other.py"}
    assert faulty("--exclude", "mine", ".", cwd=root, root=root) == {"desk.py", "sibling/desk.py"}
    assert faulty("--extend-exclude", "sub", ".", cwd=root, root=root) == {
        "desk.py",
        "mine/desk.py",
        "sibling/desk.py",
    }


def test_in_one_folder_the_file_of_ours_wins(tmp_path: Path) -> None:
    shared = '[tool.ipc-lint]\nfields = ["hop"]\n'
    write(tmp_path, {"pyproject.toml": shared, "ipc-lint.toml": 'fields = ["reply_to"]\n', "desk.py": ALONE})
    assert faulty(".", cwd=tmp_path, root=tmp_path) == {"desk.py"}


def test_a_pyproject_that_only_names_us_is_no_config(tmp_path: Path) -> None:
    write(tmp_path, {"ipc-lint.toml": 'fields = ["reply_to"]\n', "in/desk.py": ALONE})
    write(tmp_path, {"in/pyproject.toml": '[project]\ndependencies = ["ipc-lint"]\n'})
    assert faulty("in", cwd=tmp_path, root=tmp_path) == {"in/desk.py"}


def test_standard_input_has_the_config_of_its_name(tmp_path: Path) -> None:
    import subprocess
    import sys

    write(tmp_path, {"in/ipc-lint.toml": 'fields = ["reply_to"]\n'})
    command = [sys.executable, "-m", "ipc_lint", "check", "--stdin-filename", "in/new.py", "-"]
    done = subprocess.run(command, cwd=tmp_path, input=ALONE, capture_output=True, text=True)
    assert done.returncode == 1
    assert "in/new.py:14" in done.stdout


def test_routes_heeds_it_too(root: Path) -> None:
    done = run("routes", "--output-format", "json", "mine", cwd=root)
    assert {site["field"] for site in json.loads(done.stdout)["sites"]} == {"hop"}


# --------------------------------------------------------------------------- each key

KEYS: dict[str, tuple[str, Mapping[str, str], list[str]]] = {
    "select": ('select = ["IPC1"]', {}, []),
    "ignore": ('ignore = ["dropped-field"]', {}, []),
    "ignore a prefix": ('ignore = ["IPC"]', {}, []),
    "per-file-ignores": ('per-file-ignores = { "sub" = ["IPC0"] }', {}, ["desk.py"]),
    "per-file-ignores, a glob": ('per-file-ignores = { "sub/*.py" = ["IPC001"] }', {}, ["desk.py"]),
    "per-file-ignores, a name": ('per-file-ignores = { "desk.py" = ["IPC001"] }', {}, []),
    "per-file-ignores, all but": ('per-file-ignores = { "!sub" = ["IPC001"] }', {}, ["sub/desk.py"]),
    "exclude": ('exclude = ["sub"]', {}, ["desk.py"]),
    "exclude a path": ('exclude = ["/desk.py"]', {}, ["sub/desk.py"]),
    "exclude nothing": ("exclude = []", {"venv/desk.py": ALONE}, ["desk.py", "sub/desk.py", "venv/desk.py"]),
    "extend-exclude": ('extend-exclude = ["su*"]', {"venv/desk.py": ALONE}, ["desk.py"]),
    "respect-gitignore": (
        "respect-gitignore = false",
        {".gitignore": "sub\n", ".git/HEAD": ""},
        ["desk.py", "sub/desk.py"],
    ),
    "ignore-functions": ('ignore-functions = ["desk.adm*"]', {}, []),
    "ignore other functions": ('ignore-functions = ["desk.other", "admit"]', {}, ["desk.py", "sub/desk.py"]),
    "ignore functions of a folder": ('ignore-functions = ["sub.*"]', {}, ["desk.py"]),
    "ignore all functions": ('ignore-functions = ["*.admit"]', {}, []),
}


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("cwd", [".", "sub"])
def test_each_key(name: str, cwd: str, tmp_path: Path) -> None:
    line, more, found = KEYS[name]
    files = {"ipc-lint.toml": f'fields = ["reply_to"]\n{line}\n', "desk.py": ALONE, "sub/desk.py": ALONE}
    write(tmp_path, {**files, **more})
    path = os.path.relpath(tmp_path, tmp_path / cwd)
    assert faulty(path, cwd=tmp_path / cwd, root=tmp_path) == set(found)


def test_the_config_may_force_excludes(tmp_path: Path) -> None:
    text = 'fields = ["reply_to"]\nforce-exclude = true\nexclude = ["desk.py"]\n'
    write(tmp_path, {"ipc-lint.toml": text, "desk.py": ALONE})
    assert faulty("desk.py", cwd=tmp_path, root=tmp_path) == set()


@pytest.mark.parametrize(
    ("said", "grade"),
    [
        ("{}", "error"),
        ('{ IPC001 = "warning" }', "warning"),
        ('{ dropped-field = "warning", IPC = "error" }', "warning"),
        ('{ IPC = "warning", IPC001 = "error" }', "error"),
    ],
)
def test_severity(said: str, grade: str, tmp_path: Path) -> None:
    write(tmp_path, {"ipc-lint.toml": f'fields = ["reply_to"]\nseverity = {said}\n', "desk.py": ALONE})
    done = run("check", "--output-format", "json", cwd=tmp_path)
    assert done.returncode == 1  # a warning is a finding
    assert [finding["severity"] for finding in json_of(done)["findings"]] == [grade]


def test_a_rule_may_be_selected_although_the_config_ignores_it(tmp_path: Path) -> None:
    write(tmp_path, {"ipc-lint.toml": 'fields = ["reply_to"]\nignore = ["IPC001"]\n', "desk.py": ALONE})
    assert faulty(".", cwd=tmp_path, root=tmp_path) == set()
    assert faulty("--ignore", "IPC101", ".", cwd=tmp_path, root=tmp_path) == set()
    assert faulty("--select", "IPC001", ".", cwd=tmp_path, root=tmp_path) == {"desk.py"}
