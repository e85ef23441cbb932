"""``--since REV``: only what the lines touch that changed, in real git repositories."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.project import run_check
from tests.server import ALONE, PRESS
from tests.trees import write

FAULT = "    queue.extend([Job(order.rid)])\n"


def git(folder: Path, *args: str) -> str:
    """Run git as somebody, far from anybody's settings."""
    who = {f"GIT_{role}_{what}": "x" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env = {**clean, **who, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(["git", *args], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "x")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two commits of a file with a fault."""
    root = write(tmp_path / "root", {"desk.py": ALONE, "in/other.py": ALONE})
    git(root, "init", "--quiet")
    commit(root)
    commit(root)
    return root


def places(cwd: Path, revision: str = "HEAD", *args: str) -> list[str]:
    """Path and line of each finding."""
    done = run_check("--since", revision, "--output-format", "concise", *args, cwd=cwd)
    assert done.returncode == bool(done.stdout), done.stderr
    return [":".join(line.split(":")[:2]) for line in done.stdout.splitlines()]


def test_without_a_change_nothing_is_shown(repository: Path) -> None:
    assert places(repository) == []
    assert places(repository, "HEAD~1") == []


def test_only_changed_lines_count(repository: Path) -> None:
    write(repository, {"desk.py": "# new\n" + ALONE + FAULT})
    assert places(repository) == ["desk.py:16"]
    commit(repository)
    assert places(repository) == []
    assert places(repository, "HEAD~1") == ["desk.py:16"]
    assert places(repository / "in", "HEAD~1", "..") == ["../desk.py:16"]
    assert places(repository / "in", "HEAD~1", str(repository / "desk.py")) == ["../desk.py:16"]


def test_a_line_taken_out_counts_for_those_around_it(repository: Path) -> None:
    call = "queue.append(\n        Job(\n{}order.rid))"
    text = ALONE.replace("queue.append(Job(order.rid))  # IPC001", call)
    write(repository, {"desk.py": text.format("            # here\n            ")})
    commit(repository)
    write(repository, {"desk.py": text.format("            ")})
    assert places(repository) == ["desk.py:15"]


def test_a_file_that_git_does_not_know_counts_as_a_whole(repository: Path) -> None:
    write(repository, {"new.py": ALONE, ".gitignore": "hidden.py\n", "hidden.py": ALONE})
    assert places(repository) == ["new.py:14"]
    assert places(repository, "HEAD", "hidden.py") == ["hidden.py:14"]


@pytest.mark.parametrize("staged", [True, False])
def test_a_renamed_file_is_compared_with_what_it_was(repository: Path, staged: bool) -> None:
    git(repository, "mv", "desk.py", "table.py")
    write(repository, {"table.py": ALONE + FAULT})
    if staged:
        git(repository, "add", "table.py")
    assert places(repository) == ["table.py:15"]


def test_names_that_git_would_quote(repository: Path) -> None:
    git(repository, "mv", "desk.py", 'tä "b" le.py')
    assert places(repository) == []


def test_a_place_that_proves_a_finding_counts(tmp_path: Path) -> None:
    """The gate is as it was; what is new is the caller that it shuts out."""
    drop = "    def drop(self, job: Job):\n        self.sender.send(Abort(rid=job.rid), job)\n"
    desk = PRESS["press/desk.py"]
    root = write(tmp_path, {**PRESS, "press/desk.py": desk.replace(drop, "")})
    git(root, "init", "--quiet")
    commit(root)
    write(root, {"press/desk.py": desk})
    assert places(root) == ["press/sender.py:9"]


def test_line_ends_that_git_changes_are_no_change(repository: Path) -> None:
    write(repository, {"desk.py": ALONE.replace("\n", "\r\n")})
    assert places(repository) == []


def test_with_fix_only_what_changed_is_fixed(repository: Path) -> None:
    write(repository, {"desk.py": ALONE + FAULT})
    assert run_check("--since", "HEAD", "--fix", ".", cwd=repository).returncode == 0
    text = (repository / "desk.py").read_text()
    assert text.count("Job(order.rid)") == 1
    assert text.endswith("    queue.extend([Job(order.rid, reply_to=order.reply_to)])\n")
    assert (repository / "in/other.py").read_text() == ALONE


def test_several_repositories(repository: Path) -> None:
    inner = write(repository / "inner", {"desk.py": ALONE})
    git(inner, "init", "--quiet")
    commit(inner)
    write(inner, {"desk.py": ALONE + FAULT})
    assert places(repository) == ["inner/desk.py:15"]


def test_in_a_hook_git_names_another_repository(repository: Path, tmp_path: Path) -> None:
    write(repository, {"desk.py": ALONE + FAULT})
    elsewhere = {"GIT_DIR": str(tmp_path / "none"), "GIT_INDEX_FILE": str(tmp_path / "none/index")}
    done = run_check("--since", "HEAD", "--output-format", "concise", cwd=repository, env=elsewhere)
    assert done.stdout.startswith("desk.py:15:")


@pytest.mark.parametrize("revision", ["nowhere", "HEAD~9", "--all", "HEAD:desk.py"])
def test_an_unknown_revision_is_one_line(repository: Path, revision: str) -> None:
    done = run_check(f"--since={revision}", ".", cwd=repository)
    assert (done.returncode, done.stdout) == (2, "")
    what = "not a" if revision.startswith("-") else "unknown"
    assert done.stderr == f"ipc-lint: {what} revision: {revision}\n"


def test_a_shallow_clone_says_so(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{repository}", "shallow")
    done = run_check("--since", "HEAD~1", ".", cwd=tmp_path / "shallow")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "ipc-lint: unknown revision: HEAD~1 (this is a shallow clone: fetch more of its history)\n"
    )
    assert places(tmp_path / "shallow", "HEAD") == []


def test_outside_of_git_there_is_no_history(tmp_path: Path) -> None:
    write(tmp_path, {"desk.py": ALONE})
    done = run_check("--since", "HEAD", ".", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "ipc-lint: not in a git repository: .\n"


def test_without_git(repository: Path) -> None:
    assert shutil.which("git")
    done = run_check("--since", "HEAD", ".", cwd=repository, env={"PATH": ""})
    assert done.returncode == 2
    assert done.stderr.startswith("ipc-lint: git cannot be run: ")
