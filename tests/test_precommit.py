"""The hooks, run by the real pre-commit in a real repository."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.server import MODEL
from tests.trees import write

HOOKS = Path(__file__).parent.parent / ".pre-commit-hooks.yaml"
ARGS = ["--field", "reply_to", "--no-preset"]

BAD = """\
from press.model import Job, Order


class Desk:
    def __init__(self):
        self.jobs: list[Job] = []

    def refuse(self, order: Order):
        self.jobs.append(Job(order.rid, "refused"))
"""
GOOD = BAD.replace('"refused")', '"refused", reply_to=order.reply_to)')


def hooks() -> dict[str, dict[str, Any]]:
    """The hooks that this repository offers, by id."""
    return {hook["id"]: hook for hook in yaml.safe_load(HOOKS.read_text(encoding="utf-8"))}


def test_there_are_two_hooks_that_differ_in_what_they_run() -> None:
    assert {name: hook["entry"] for name, hook in hooks().items()} == {
        "ipc-lint": "ipc-lint check --force-exclude",
        "ipc-lint-fix": "ipc-lint check --fix --force-exclude",
    }
    check, fix = ({**hook, "id": "", "name": "", "description": "", "entry": ""} for hook in hooks().values())
    assert check == fix


class Repository:
    """A git repository with pre-commit installed, and the package from this environment."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root = root
        # Git tells its own hooks where the repository is: nothing of a surrounding run may get in.
        mine = {
            name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))
        }
        self._env: Mapping[str, str] = {
            **mine,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(home),
            "PRE_COMMIT_HOME": str(home / "pre-commit"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            **{
                f"GIT_{role}_{what}": "someone"
                for role in ("AUTHOR", "COMMITTER")
                for what in ("NAME", "EMAIL")
            },
        }

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the repository."""
        return subprocess.run(
            command,
            cwd=self.root,
            env=self._env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
        )

    def must(self, *command: str) -> str:
        """Run a command that has to succeed."""
        done = self.run(*command)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def commit(self) -> subprocess.CompletedProcess[str]:
        """Add everything and try to commit."""
        self.must("git", "add", "--all")
        return self.run("git", "commit", "--message", "x")


@pytest.fixture
def repository(request: pytest.FixtureRequest, tmp_path: Path) -> Repository:
    """A repository with one commit, the carriers in it, and one of the hooks installed after that."""
    # As the hook is offered, but from this environment: pre-commit would clone and install it.
    hook = {**hooks()[request.param], "language": "system", "args": ARGS}
    config = yaml.safe_dump({"repos": [{"repo": "local", "hooks": [hook]}]})
    root = write(
        tmp_path / "root",
        {
            ".pre-commit-config.yaml": config,
            "pyproject.toml": "",
            "press/__init__.py": "",
            "press/model.py": MODEL,
        },
    )
    (tmp_path / "home").mkdir()
    made = Repository(root, tmp_path / "home")
    made.must("git", "init", "--quiet")
    assert made.commit().returncode == 0
    made.must(sys.executable, "-m", "pre_commit", "install")
    return made


@pytest.mark.parametrize("repository", ["ipc-lint"], indirect=True)
def test_a_bad_commit_is_refused_with_the_finding_on_the_screen(repository: Repository) -> None:
    write(repository.root, {"press/desk.py": BAD})
    done = repository.commit()
    assert done.returncode == 1
    assert "press/desk.py:9" in done.stdout
    assert "IPC001" in done.stdout
    assert "reply_to=order.reply_to" in done.stdout
    assert (repository.root / "press/desk.py").read_text() == BAD
    assert repository.must("git", "rev-list", "--count", "HEAD").strip() == "1"
    write(repository.root, {"press/desk.py": GOOD})
    done = repository.commit()
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("repository", ["ipc-lint-fix"], indirect=True)
def test_the_fixing_hook_mends_it_and_the_second_commit_passes(repository: Repository) -> None:
    write(repository.root, {"press/desk.py": BAD})
    done = repository.commit()
    assert done.returncode == 1
    assert "files were modified by this hook" in done.stdout
    assert "Fixed 1 of 1 fault" in done.stdout
    assert (repository.root / "press/desk.py").read_text() == GOOD
    done = repository.commit()
    assert done.returncode == 0, done.stdout
    assert repository.must("git", "show", "HEAD:press/desk.py") == GOOD
    assert repository.must("git", "status", "--porcelain") == ""


@pytest.mark.parametrize("repository", ["ipc-lint-fix"], indirect=True)
def test_files_that_are_not_passed_are_known_but_not_touched(repository: Repository) -> None:
    write(repository.root, {"press/old.py": BAD})
    repository.must("git", "add", "--all")
    repository.must("git", "commit", "--quiet", "--no-verify", "--message", "old")
    write(repository.root, {"press/desk.py": BAD})
    assert repository.commit().returncode == 1
    done = repository.commit()
    assert done.returncode == 0, done.stdout
    assert (repository.root / "press/old.py").read_text() == BAD
