from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ipc_lint.files.discover import discover, project_files
from ipc_lint.files.ignore import BadPattern
from ipc_lint.files.project import Project
from ipc_lint.settings import DEFAULT_EXCLUDE, Settings
from tests.trees import touch, write


def found(*paths: str, settings: Settings | None = None) -> list[str]:
    """The files of a search in the current folder, relative to it; there must be no problems."""
    result = discover(paths or (".",), settings or Settings())
    assert result.problems == ()
    return [os.path.relpath(file) for file in result.files]


def problems(*paths: str) -> list[tuple[str, str]]:
    result = discover(paths, Settings())
    return [(os.path.relpath(problem.path), problem.message) for problem in result.problems]


def test_a_walk_lists_python_files_sorted_and_absolute(work: Path) -> None:
    touch(work, "b.py", "a/z.pyi", "a/x.py", "a/data.txt", "a.pyx", "setup.cfg")
    assert discover(["."], Settings()).files == (f"{work}/a/x.py", f"{work}/a/z.pyi", f"{work}/b.py")


def test_a_named_file_is_taken_whatever_its_suffix(work: Path) -> None:
    touch(work, "script", "build/gen.py")
    assert found("script", "build/gen.py") == ["build/gen.py", "script"]


def test_a_path_named_twice_is_listed_once(work: Path) -> None:
    touch(work, "a/x.py")
    assert found("a/x.py", ".", "a", str(work / "a")) == ["a/x.py"]


def test_a_missing_path_is_a_problem_and_the_others_are_listed(work: Path) -> None:
    touch(work, "x.py")
    result = discover(["nowhere", "x.py"], Settings())
    assert [os.path.basename(file) for file in result.files] == ["x.py"]
    assert problems("nowhere", "x.py", "x.py/y") == [
        ("nowhere", "no such file or directory"),
        ("x.py/y", "not a directory"),
    ]


def test_a_folder_called_like_a_file_is_a_folder(work: Path) -> None:
    touch(work, "odd.py/x.py", "odd.py/y.txt")
    assert found() == ["odd.py/x.py"]


def test_a_pipe_called_like_a_file_is_passed_over(work: Path) -> None:
    os.mkfifo(work / "pipe.py")
    assert found() == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_read_is_a_problem(work: Path) -> None:
    touch(work, "shut/x.py")
    os.chmod(work / "shut", 0)
    assert problems(".") == [("shut", "permission denied")]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_of_a_folder_that_cannot_be_listed_nobody_says_what_it_holds(work: Path) -> None:
    touch(work, "shut/x.py", "open/x.py")
    os.chmod(work / "shut", 0o111)
    unmarked = discover(["."], Settings()).unmarked
    assert str(work / "open") in unmarked
    assert str(work / "shut") not in unmarked


class TestLinks:
    def test_a_file_keeps_its_real_name(self, work: Path) -> None:
        touch(work, "real.py", "z/inner.py")
        (work / "a_link.py").symlink_to("real.py")
        (work / "a_folder").symlink_to("z")
        assert found() == ["real.py", "z/inner.py"]

    def test_a_link_that_is_named_first_is_the_name(self, work: Path) -> None:
        touch(work, "real.py")
        (work / "link.py").symlink_to("real.py")
        assert found("link.py", "real.py") == ["link.py"]

    def test_a_link_out_of_the_tree_is_followed(self, work: Path) -> None:
        touch(work, "asked/x.py", "other/y.py")
        (work / "asked/other").symlink_to("../other")
        (work / "asked/z.py").symlink_to("../other/y.py")
        assert found("asked") == ["asked/other/y.py", "asked/x.py"]

    def test_loops_end(self, work: Path) -> None:
        touch(work, "a/b/x.py")
        (work / "a/b/up").symlink_to("..")
        (work / "a/self").symlink_to(".")
        (work / "ring1").symlink_to("ring2")
        (work / "ring2").symlink_to("ring1")
        assert found() == ["a/b/x.py"]

    def test_a_link_to_a_folder_above_leads_nowhere(self, work: Path) -> None:
        touch(work, "asked/x.py", "beside.py")
        (work / "asked/up").symlink_to("..")
        (work / "asked/top").symlink_to("/")
        assert found("asked") == ["asked/x.py"]

    def test_a_link_to_nothing_is_a_problem_if_it_looks_like_python(self, work: Path) -> None:
        for name in ("gone.py", "gone", "round.py"):
            (work / name).symlink_to("nothing" if "gone" in name else name)
        nowhere = "a symbolic link to nowhere (nothing)"
        round_ = "a symbolic link to nowhere (round.py)"
        assert problems(".") == [("gone.py", nowhere), ("round.py", round_)]
        assert problems("gone") == [("gone", nowhere)]


class TestExcludes:
    def test_the_defaults_hold_below_the_folder_asked_for(self, work: Path) -> None:
        names = [f"{name}/x.py" for name in DEFAULT_EXCLUDE]
        touch(work, "x.py", "build/project/x.py", *names)
        assert found() == ["x.py"]
        assert found("build/project", "venv") == ["build/project/x.py", "venv/x.py"]

    @pytest.mark.parametrize(
        ("pattern", "left"),
        [
            ("a", ["b/c/a.py", "b/x.py", "x.py"]),
            ("a/", ["b/c/a.py", "b/x.py", "x.py"]),
            ("a*", ["b/x.py", "x.py"]),
            ("x.py", ["a/b/y.py", "b/c/a.py"]),
            ("b/c", ["a/b/y.py", "a/x.py", "b/x.py", "x.py"]),
            ("./b/c/", ["a/b/y.py", "a/x.py", "b/x.py", "x.py"]),
            ("/a", ["b/c/a.py", "b/x.py", "x.py"]),
            ("a/*.py", ["a/b/y.py", "b/c/a.py", "b/x.py", "x.py"]),
            ("**/b", ["a/x.py", "x.py"]),
            ("{cwd}/a", ["b/c/a.py", "b/x.py", "x.py"]),
            ("../work/a", ["b/c/a.py", "b/x.py", "x.py"]),
        ],
    )
    def test_patterns(self, work: Path, pattern: str, left: list[str]) -> None:
        touch(work, "x.py", "a/x.py", "a/b/y.py", "b/x.py", "b/c/a.py")
        settings = Settings(extend_exclude=(pattern.replace("{cwd}", str(work)),))
        assert found(settings=settings) == left

    def test_exclude_replaces_the_defaults_and_extend_exclude_adds(self, work: Path) -> None:
        touch(work, "build/x.py", "a/x.py", "b/x.py")
        assert found(settings=Settings(exclude=("a",))) == ["b/x.py", "build/x.py"]
        assert found(settings=Settings(extend_exclude=("a",))) == ["b/x.py"]

    def test_a_later_pattern_takes_back(self, work: Path) -> None:
        touch(work, "build/x.py", "a_pb2.py", "keep_pb2.py")
        assert found(settings=Settings(extend_exclude=("*_pb2.py", "!keep_*", "!build"))) == [
            "build/x.py",
            "keep_pb2.py",
        ]

    def test_paths_are_seen_from_the_working_folder(
        self, work: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        touch(work, "a/b/x.py", "b/x.py")
        monkeypatch.chdir(work / "a")
        assert found("..", settings=Settings(extend_exclude=("./b",))) == ["../b/x.py"]

    def test_force_exclude_holds_for_what_is_named(self, work: Path) -> None:
        touch(work, "build/x.py", "a/x.py", "script")
        settings = Settings(force_exclude=True, extend_exclude=("script",))
        assert found("build/x.py", "build", "a/x.py", "script", ".", settings=settings) == ["a/x.py"]

    def test_force_exclude_outside_the_working_folder(
        self, work: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        touch(work, "build/repo/.git/HEAD", "build/repo/build/x.py", "build/repo/x.py", "here/y.py")
        monkeypatch.chdir(work / "here")
        paths = ["../build/repo/build/x.py", "../build/repo/x.py"]
        assert found(*paths, settings=Settings(force_exclude=True)) == ["../build/repo/x.py"]

    @pytest.mark.parametrize("pattern", ["[z-a]", "!", "a/[z-a]"])
    def test_a_pattern_that_means_nothing_is_an_error(self, work: Path, pattern: str) -> None:
        with pytest.raises(BadPattern):
            discover(["."], Settings(extend_exclude=(pattern,)))


class TestGitignore:
    def test_is_respected_unless_told_otherwise(self, work: Path) -> None:
        write(work, {".gitignore": "gen/\n", "gen/x.py": "", "y.py": ""})
        assert found() == ["y.py"]
        assert found(settings=Settings(respect_gitignore=False)) == ["gen/x.py", "y.py"]

    def test_a_named_file_or_folder_is_taken(self, work: Path) -> None:
        write(work, {".git/HEAD": "", ".gitignore": "gen/\n", "gen/x.py": "", "gen/a/y.py": ""})
        assert found("gen/x.py") == ["gen/x.py"]
        assert found("gen") == ["gen/a/y.py", "gen/x.py"]
        assert found("gen/a") == ["gen/a/y.py"]

    def test_files_of_parents_hold_up_to_the_git_root(self, work: Path) -> None:
        tree = {"sub/a_gen.py": "", "sub/keep.py": "", "sub/deep/keep.py": ""}
        write(work, {".gitignore": "*_gen.py\n/sub/deep/\n", **tree})
        everything = ["sub/a_gen.py", "sub/deep/keep.py", "sub/keep.py"]
        assert found("sub") == everything  # not in a repository: a parent says nothing
        touch(work, ".git/HEAD")
        assert found("sub") == ["sub/keep.py"]

    def test_a_repository_inside_has_its_own_rules(self, work: Path) -> None:
        write(work, {".git/HEAD": "", ".gitignore": "x.py\n", "inner/.git/HEAD": "", "inner/x.py": ""})
        assert found() == ["inner/x.py"]

    def test_a_line_that_means_nothing_is_passed_over(self, work: Path) -> None:
        write(work, {".gitignore": "!\n[z-a]\n\\\n# x.py\n\ny.py\n", "x.py": "", "y.py": ""})
        assert found() == ["x.py"]

    def test_agrees_with_git(self, work: Path) -> None:
        subprocess.run(["git", "init", "-q"], check=True)
        write(
            work,
            {
                ".git/info/exclude": "private.py\n",
                ".gitignore": "\ufeffgen/\r\n*.tmp.py\n/only_top.py\nlogs/**\n!logs/keep.py\n"
                "docs/*/api.py\n[ab]_x.py\nspace.py   \n!b_x.py\n\\!bang.py\nsub/deep/\n**/any/y.py\n",
                "sub/.gitignore": "!c.tmp.py\nlocal.py\n/anchored.py\n",
            },
        )
        names = "private gen/x only_top sub/only_top c.tmp sub/c.tmp sub/d.tmp logs/x logs/keep docs/v/api"
        names += " docs/v/w/api a_x b_x sub/a_x space !bang sub/deep/x deep/x sub/local local p/any/y any/y"
        names += " any/z sub/anchored sub/sub/anchored sub/private gen.py/x ok"
        touch(work, *(f"{name}.py" for name in names.split()))
        listing = ["git", "ls-files", "--others", "--exclude-standard", "*.py"]
        seen = subprocess.run(listing, capture_output=True, text=True, check=True).stdout
        assert found() == sorted(seen.splitlines())


def test_project_files_are_found_by_the_same_rules(work: Path) -> None:
    write(work, {".gitignore": "gen/\n", "gen/x.py": "", "build/x.py": "", "pkg/x.py": "", "y.py": ""})
    root = str(work)
    assert project_files(Project(root, (root,)), Settings()) == (f"{root}/pkg/x.py", f"{root}/y.py")
    only = Project(root, (f"{root}/pkg", f"{root}/y.py"))
    assert project_files(only, Settings()) == (f"{root}/pkg/x.py", f"{root}/y.py")


@pytest.mark.parametrize("ignore_lines", [0, 200])
def test_five_thousand_files_are_all_listed(work: Path, ignore_lines: int) -> None:
    lines = [f"name{n}/\n*.e{n}\nodd[{n}]*.txt\n/docs/_{n}\n" for n in range(ignore_lines // 4)]
    write(work, {".gitignore": "".join(lines)} if lines else {})
    touch(work, *(f"p{n % 250}/m{n}.py" for n in range(5000)))
    assert len(discover(["."], Settings()).files) == 5000


@pytest.mark.parametrize(("number", "calls"), [(399, 0), (400, 1), (1200, 1)])
def test_it_is_said_once_that_there_are_many_files(tmp_path: Path, number: int, calls: int) -> None:
    for place in range(number):
        folder = tmp_path / str(place % 3)
        folder.mkdir(exist_ok=True)
        (folder / f"x{place}.py").touch()
    said: list[None] = []
    found = discover([str(tmp_path)], Settings(), (), lambda: said.append(None))
    assert (len(found.files), len(said)) == (number, calls)
