"""What README.md shows is what happens."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from ipc_lint import cli
from tests.project import blocks
from tests.trees import write
from tools import readme

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
FILES = {name: code for name, code in blocks(TEXT, "") if name}


class Shown(NamedTuple):
    """A command after a ``$``, and what it prints."""

    command: str
    output: str


def fenced(language: str) -> list[str]:
    """The blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def session() -> list[Shown]:
    """All commands with their output."""
    parts = [part for block in fenced("console") for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return [Shown(command, output) for command, _, output in (part.partition("\n") for part in parts)]


def steady(text: str) -> str:
    """The text without what differs from run to run, or with every release."""
    text = re.sub(r"\(\d+\.\d\d s\)", "(0.00 s)", text)
    return re.sub(r'"version": "[^"]+"', '"version": "0.0.0"', text)


def with_scripts() -> Mapping[str, str]:
    """The environment with ``ipc-lint`` on the path."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)])
    return {**os.environ, "PATH": path}


def test_the_examples_are_seen() -> None:
    assert list(FILES) == ["refuse.py"]
    assert [shown.command.split()[:2] for shown in session()] == [["ipc-lint", "check"]] * 2


@pytest.mark.parametrize("shown", session(), ids=lambda shown: shown.command)
def test_a_command_prints_what_is_shown(shown: Shown, tmp_path: Path) -> None:
    write(tmp_path, FILES)
    done = subprocess.run(
        shlex.split(shown.command),
        cwd=tmp_path,
        env=with_scripts(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert steady(done.stdout) == steady(shown.output)
    assert done.returncode == 1


def test_the_cure_that_is_shown_is_one(tmp_path: Path) -> None:
    text = FILES["refuse.py"].replace(
        "recv_req.sampling_params)",
        "recv_req.sampling_params,\n        http_worker_ipc=recv_req.http_worker_ipc)",
    )
    write(tmp_path, {"refuse.py": text})
    done = subprocess.run(["ipc-lint", "check", "-q", "refuse.py"], cwd=tmp_path, env=with_scripts())
    assert done.returncode == 0


def test_other_commands_are_understood() -> None:
    lines = [line for block in fenced("sh") for line in block.splitlines() if line.startswith("ipc-lint")]
    assert len(lines) == 6
    for line in lines:
        _, name, *args = shlex.split(line, comments=True)
        cli.cli.commands[name].make_context(name, args)


def test_every_option_is_described_and_no_other() -> None:
    real = {option for param in cli.check.params if isinstance(param, click.Option) for option in param.opts}
    section = TEXT.partition("## Options")[2].partition("\n| exit code |")[0]
    assert set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", section)) == real


def test_the_table_of_rules_is_current() -> None:
    assert readme.current(TEXT) == TEXT, "run python tools/readme.py"


def test_a_stale_table_of_rules_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stale = write(tmp_path, {"README.md": TEXT.replace("| IPC001 |", "| IPC000 |")}) / "README.md"
    monkeypatch.setattr(readme, "README", stale)
    assert readme.main("--check") == 1
    assert readme.main() == 0
    assert readme.main("--check") == 0
    assert stale.read_text(encoding="utf-8") == TEXT


def test_the_hook_runs(tmp_path: Path) -> None:
    (config,) = [block for block in fenced("yaml") if block.startswith("repos:")]
    write(tmp_path, {**FILES, "clean.py": "x = 1\n", ".pre-commit-config.yaml": config})
    env = {**with_scripts(), "PRE_COMMIT_HOME": str(tmp_path / ".pre-commit")}
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    for name, code in (("clean.py", 0), ("refuse.py", 1)):
        subprocess.run(["git", "add", name, ".pre-commit-config.yaml"], cwd=tmp_path, check=True)
        done = subprocess.run(["pre-commit", "run"], cwd=tmp_path, env=env, capture_output=True, text=True)
        assert done.returncode == code, done.stdout + done.stderr
        assert ("refuse.py:4:11: IPC001" in done.stdout) == bool(code)


def test_the_hook_of_the_repository_is_the_one_shown() -> None:
    manifest = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    (config,) = [block for block in fenced("yaml") if block.startswith("repos:")]
    entry = re.compile(r"^ *entry: (.*)$", re.MULTILINE)
    assert entry.findall(manifest) == entry.findall(config)
    command = ["pre-commit", "validate-manifest", ".pre-commit-hooks.yaml"]
    assert subprocess.run(command, cwd=ROOT, env=with_scripts()).returncode == 0
