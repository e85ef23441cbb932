"""The codemod under libcst's own command, on a copy of a fixture project."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project import run_check

RELAY = Path(__file__).parent / "fixtures" / "relay"


def codemod(cwd: Path, *paths: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            sys.executable, "-m", "libcst.tool", "codemod", "-x", "--no-format",
            "ipc_lint.codemod.AddMissingField", "--field", "back_to", "--no-preset", *paths,
        ],
        cwd=cwd,
        capture_output=True,
        text=True,
    )  # fmt: skip


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*.py"))}


def test_a_folder_is_mended_as_by_the_command_line(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    shutil.copytree(RELAY, one)
    shutil.copytree(RELAY, other)
    for _ in range(2):  # the sends are safe to mend once the gate is
        done = codemod(one, "relay")
        assert done.returncode == 0, done.stderr
    run_check("--fix", ".", cwd=other, field="back_to")
    assert contents(one) == contents(other) != contents(RELAY)


def test_one_file_is_mended_and_no_other_is_touched(tmp_path: Path) -> None:
    shutil.copytree(RELAY, tmp_path / "copy")
    codemod(tmp_path / "copy", "relay/outbox.py")
    before, after = contents(RELAY), contents(tmp_path / "copy")
    assert {path for path, data in after.items() if data != before[path]} == {"relay/outbox.py"}


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    shutil.copytree(RELAY, tmp_path / "copy")
    codemod(tmp_path / "copy", "relay/outbox.py")
    first = contents(tmp_path / "copy")
    codemod(tmp_path / "copy", "relay/outbox.py")
    assert contents(tmp_path / "copy") == first


def test_what_is_excluded_is_left_alone(tmp_path: Path) -> None:
    shutil.copytree(RELAY, tmp_path / "build")
    done = codemod(tmp_path, "build")
    assert done.returncode == 0, done.stderr
    assert contents(tmp_path / "build") == contents(RELAY)


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("", "ipc-lint: --field: it is empty"),
        ("class", "ipc-lint: --field: not the name of an attribute: class"),
        ("a-b", "ipc-lint: --field: not the name of an attribute: a-b"),
    ],
)
def test_what_can_be_no_field_is_said(field: str, message: str, tmp_path: Path) -> None:
    shutil.copytree(RELAY, tmp_path / "copy")
    done = codemod(tmp_path / "copy", "--field", field, "relay")
    assert done.returncode != 0
    assert message in done.stderr
    assert contents(tmp_path / "copy") == contents(RELAY)


def test_several_fields_may_be_named_at_once(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for root, more in ((one, []), (other, ["--field", "x, back_to"])):
        shutil.copytree(RELAY, root)
        codemod(root, *more, "relay")
    assert contents(one) == contents(other) != contents(RELAY)
