from __future__ import annotations

import os
from pathlib import Path

import pytest

from ipc_lint.files.discover import project_files
from ipc_lint.files.project import Project, find_project
from ipc_lint.settings import Settings
from tests.corpus import tree
from tests.trees import touch, write


def project(path: str) -> tuple[str, list[str]]:
    """The root and the folders for a path, relative to the current folder."""
    found = find_project(path, Settings())
    return os.path.relpath(found.root), [os.path.relpath(folder) for folder in found.folders]


def package(work: Path, at: str = "tree") -> Path:
    """A package ``server`` with a namespace folder in it, as in real life."""
    return write(
        work / at,
        {
            "server/__init__.py": "",
            "server/core/messages.py": "class Req: ...\n",
            "server/core/lone.py": "import os\n",
            "server/core/session/__init__.py": "",
            "server/core/session/control.py": "from server.core.messages import Req\n",
        },
    )


class TestByConfig:
    def test_the_nearest_config_wins_over_version_control(self, work: Path) -> None:
        touch(work, "ipc-lint.toml", "a/ipc-lint.toml", "a/b/.git/HEAD", "a/b/x.py")
        assert project("a/b/x.py") == ("a", ["a"])

    def test_a_table_in_pyproject_counts_and_another_does_not(self, work: Path) -> None:
        write(
            work, {"pyproject.toml": "[tool.ipc-lint]\n", "a/pyproject.toml": "[tool.other]\n", "a/x.py": ""}
        )
        assert project("a/x.py") == (".", ["."])
        assert project("a") == (".", ["."])


class TestByVersionControl:
    @pytest.mark.parametrize("mark", [".git/HEAD", ".git", ".hg/store"])
    def test_the_nearest_root(self, work: Path, mark: str) -> None:
        touch(work, mark, "a/b/x.py")
        assert project("a/b/x.py") == (".", ["."])
        assert project("a") == (".", ["."])

    def test_a_path_that_the_root_passes_over_is_not_its_own(self, work: Path) -> None:
        write(work, {".git/HEAD": "", ".gitignore": "corpus/\n", "pyproject.toml": "[tool.ipc-lint]\n"})
        for at in ("corpus/1.0", ".venv/lib/python3.11/site-packages"):
            package(work, at)
            assert project(f"{at}/server/core/session/control.py") == (at, [f"{at}/server"])
            assert project(at) == (at, [at])

    def test_a_home_folder_under_version_control_is_no_project(self, work: Path) -> None:
        touch(work.parent, ".git/HEAD", "ipc-lint.toml", "work/x.py")
        assert project(".") == (".", ["."])
        assert project("x.py") == (".", ["x.py"])


class TestByImports:
    @pytest.mark.parametrize(
        "path",
        [
            "tree/server/core/session/control.py",
            "tree/server/core/session",
            "tree/server/core/lone.py",  # by the files below: none; above: none; so by its neighbour
            "tree/server/core",
            "tree/server/__init__.py",
            "tree/server",
        ],
    )
    def test_everything_in_a_package_has_one_root(self, work: Path, path: str) -> None:
        package(work)
        write(work, {"tree/server/core/near.py": "import server.core.messages\n"})
        write(work, {"tree/server/main.py": "if 1:\n    from server import core\n"})
        assert project(path) == ("tree", ["tree/server"])

    def test_the_same_from_within(self, work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        package(work)
        monkeypatch.chdir(work / "tree/server/core/session")
        assert project("control.py") == ("../../..", ["../.."])
        monkeypatch.chdir(work / "tree")
        assert project(".") == (".", ["."])

    @pytest.mark.parametrize(
        ("code", "proves"),
        [
            ("import top.a.b\n", True),
            ("import top.a.b as c, os\n", True),
            ("from top.a.b import anything\n", True),
            ("from top.a import (\n    b\n)\n", True),
            ("from top import a\n", True),
            ("from top import KNOWN\n", True),
            ("\tfrom  top.a\timport b\n", True),
            ("import top\n", False),
            ("import top.other\n", False),
            ("from top import UNKNOWN\n", False),
            ("from .top.a import b\n", False),
            ("# import top.a.b\n", False),
            ("import topper.a.b\n", False),
        ],
    )
    def test_an_import_proves_a_root_if_it_leads_somewhere(self, work: Path, code: str, proves: bool) -> None:
        write(work, {"top/__init__.py": "KNOWN = 1\n", "top/a/b.py": "", "top/a/in/x.py": code})
        assert project("top/a/in/x.py")[0] == ("." if proves else "top/a/in")

    def test_the_outermost_root_wins(self, work: Path) -> None:
        write(
            work,
            {
                "server/parts/kernel/attn.py": "",
                "server/parts/kernel/test.py": "from kernel.attn import f\n",
                "server/parts/main.py": "from server.parts import main\n",
            },
        )
        assert project("server/parts/kernel/test.py") == (".", ["server"])

    def test_a_name_that_comes_twice_on_the_way(self, work: Path) -> None:
        package(work / "server", "python")
        assert project("server/python/server/core/session") == ("server/python", ["server/python/server"])

    def test_a_package_in_the_home_folder_is_the_project_and_not_its_neighbours(self, work: Path) -> None:
        home = package(work.parent, ".")
        touch(home, "other/x.py")
        found = find_project(str(home / "server/core/session/control.py"), Settings())
        assert found == Project(str(home), (f"{home}/server",))


class TestByInitFiles:
    def test_the_outermost_package(self, work: Path) -> None:
        touch(work, "a/p/__init__.py", "a/p/q/__init__.py", "a/p/q/x.py", "a/other.py")
        assert project("a/p/q/x.py") == ("a", ["a/p"])
        assert project("a/p/q") == ("a", ["a/p"])


class TestWithoutEvidence:
    def test_a_folder_is_its_own_root(self, work: Path) -> None:
        touch(work, "a/b/x.py")
        assert project("a") == ("a", ["a"])
        assert project("a/b") == ("a/b", ["a/b"])

    def test_a_script_brings_its_neighbours_and_what_they_import_from_there(self, work: Path) -> None:
        write(work, {"x.py": "import helper.a\nimport os\n", "y.py": "", "helper/a.py": "", "big/z.py": ""})
        assert project("x.py") == (".", ["x.py", "y.py", "helper"])
        names = project_files(find_project("x.py", Settings()), Settings())
        assert [os.path.relpath(name) for name in names] == ["helper/a.py", "x.py", "y.py"]

    def test_a_path_that_does_not_exist_is_harmless(self, work: Path) -> None:
        assert project("no/where.py") == ("no", [])


@pytest.mark.parametrize("release", ["0.5.9", "0.5.10", "0.5.11"])
def test_every_path_in_a_real_release_has_the_same_root(
    release: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree(release)
    folders = [folder for folder, _, names in os.walk(root / "sglang") if names]
    (session,) = root.glob("sglang/srt/*/session_controller.py")
    asked = [str(root), *folders, str(session), str(root / "sglang/srt/managers/scheduler.py")]
    assert {find_project(path, Settings()).root for path in asked} == {str(root)}
    monkeypatch.chdir(session.parent)
    assert find_project("session_controller.py", Settings()).root == str(root)
