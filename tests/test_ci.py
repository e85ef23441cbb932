"""action.yml and docs/ci.md: the files are well formed, and what they run runs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.report.test_machine_formats import annotated, gitlab, junit
from tests.test_readme import FILES
from tests.trees import write

ROOT = Path(__file__).parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
SNIPPETS: list[dict[str, Any]] = [
    yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
]
BY_ACTION, BY_SARIF, BY_GITLAB = SNIPPETS


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of an empty virtual environment."""
    folder = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    return folder / ("Scripts" if os.name == "nt" else "bin")


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What of this repository is installed."""
    folder = tmp_path_factory.mktemp("clone") / "ipc-lint"
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        write(folder, {name: (ROOT / name).read_bytes()})
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def shell(command: str, cwd: Path, python: Path, **given: str) -> subprocess.CompletedProcess[str]:
    """As a runner does it: bash that stops at the first error, and nothing of our environment."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    environment |= {"PATH": f"{python}{os.pathsep}{os.environ['PATH']}", **given}
    bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command]
    return subprocess.run(bash, cwd=cwd, env=environment, capture_output=True, text=True)


def steps() -> list[str]:
    """The commands of the action."""
    return [step["run"] for step in ACTION["runs"]["steps"] if "run" in step]


def evaluated(text: str, inputs: dict[str, str]) -> str:
    """``${{ inputs.x }}`` replaced, as GitHub does."""
    return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: inputs[match[1]], text)


def environment(**inputs: str) -> dict[str, str]:
    """What the last step of the action is given."""
    given = {name: about["default"] for name, about in ACTION["inputs"].items()} | inputs
    environment: dict[str, str] = ACTION["runs"]["steps"][-1]["env"]
    return {name: evaluated(value, given) for name, value in environment.items()}


def test_the_action_is_a_composite_one() -> None:
    assert ACTION["runs"]["using"] == "composite"
    for step in ACTION["runs"]["steps"]:
        assert ("uses" in step) is not ("run" in step and step["shell"] == "bash")
        # An input in a command could be a command.
        assert "${{" not in step.get("run", "")
    inputs = re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", (ROOT / "action.yml").read_text(encoding="utf-8"))
    assert sorted(inputs) == sorted(ACTION["inputs"])


def test_the_page_gives_the_action_what_it_takes() -> None:
    (job,) = BY_ACTION["jobs"].values()
    given = job["steps"][-1]["with"]
    assert given.keys() == ACTION["inputs"].keys()
    assert {name: given[name] for name in ("paths", "python-version")} == {
        name: ACTION["inputs"][name]["default"] for name in ("paths", "python-version")
    }


@pytest.fixture(scope="module")
def installed(python: Path, clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The virtual environment with what the first step of the action puts there."""
    done = shell(steps()[0], tmp_path_factory.mktemp("empty"), python, GITHUB_ACTION_PATH=str(clone))
    assert done.returncode == 0, done.stderr
    return python


def test_the_action_annotates_and_fails(installed: Path, tmp_path: Path) -> None:
    (job,) = BY_ACTION["jobs"].values()
    given = environment(args=job["steps"][-1]["with"]["args"])
    write(tmp_path, {**FILES, "clean.py": "x = 1\n"})
    done = shell(steps()[-1], tmp_path, installed, **given)
    assert done.returncode == 1, done.stderr
    ((level, place, _),) = annotated(done.stdout)
    assert (level, place["file"], place["line"]) == ("error", "server.py", "17")
    clean = shell(steps()[-1], tmp_path, installed, **{**given, "IPC_LINT_PATHS": "clean.py clean.py"})
    assert (clean.returncode, clean.stdout) == (0, "")
    assert shell(steps()[-1], tmp_path, installed, **environment()).returncode == 0  # sglang's field


def test_an_input_is_no_command_and_no_pattern(installed: Path, tmp_path: Path) -> None:
    given = environment(paths="$(touch made) ;touch made; *.py")
    done = shell(steps()[-1], write(tmp_path, FILES), installed, **given)
    assert done.returncode == 2
    assert "*.py: no such file or directory" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["server.py"]


@pytest.mark.parametrize("job", [*BY_SARIF["jobs"].values(), *BY_GITLAB.values()], ids=["github", "gitlab"])
def test_the_commands_of_the_page_run(
    job: dict[str, Any], installed: Path, clone: Path, tmp_path: Path
) -> None:
    write(tmp_path, FILES)
    shutil.copytree(clone, tmp_path / "ipc-lint")
    commands = job.get("script") or [step["run"] for step in job["steps"] if "run" in step]
    *before, last = [shell(command, tmp_path, installed) for command in commands]
    assert [done.returncode for done in before] == [0] * len(before), before
    assert last.returncode == 1, last.stderr
    named = [*job.get("artifacts", {}).get("reports", {}).values()]
    named += [
        step["with"]["sarif_file"] for step in job.get("steps", ()) if "sarif_file" in step.get("with", {})
    ]
    assert named
    for name in named:
        assert "IPC001" in (tmp_path / name).read_text(encoding="utf-8")


def test_gitlab_takes_the_reports_of_the_page(installed: Path, tmp_path: Path) -> None:
    (job,) = BY_GITLAB.values()
    write(tmp_path, FILES)
    for command in job["script"][1:]:
        shell(command, tmp_path, installed)
    reports = job["artifacts"]["reports"]
    assert len(gitlab((tmp_path / reports["codequality"]).read_text(encoding="utf-8"))) == 1
    assert len(list(junit((tmp_path / reports["junit"]).read_text(encoding="utf-8")).iter("failure"))) == 1
