"""``ipc-lint check`` as a whole, through the real command line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.project import Spot, found, found_by_command, json_of, marked, run, run_check, spots_of
from tests.server import ALONE, DESK, PLAIN, PRESS
from tests.trees import files_of, write

ALL = marked(PRESS)
CODES = ["IPC001", "IPC101", "IPC102", "IPC201"]
MARKS = {"repository": "/.git/HEAD", "config": "/ipc-lint.toml", "nothing": ""}


@pytest.fixture
def press(tmp_path: Path) -> Path:
    """A checkout with one fault of each kind."""
    return write(tmp_path / "checkout", {**PRESS, ".git/HEAD": ""})


def words(value: object) -> str:
    return " ".join(value) if isinstance(value, list) else str(value)


def codes(done: subprocess.CompletedProcess[str]) -> list[str]:
    return sorted(finding["code"] for finding in json_of(done)["findings"])


def test_the_server_has_one_fault_of_each_kind(press: Path) -> None:
    assert found_by_command(press) == ALL
    assert sorted(spot.code for spot in ALL) == CODES


# -------------------------------------------------------------------------- exit codes


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["press/plain.py"], 0),
        (["press/desk.py"], 1),
        ([], 1),
        (["press", "press/desk.py"], 1),
        (["--exit-zero"], 0),
        (["--select", "IPC8", "press/plain.py"], 2),  # no such rule
        (["--select", "IPC9", "press/desk.py"], 0),
        (["--ignore", "IPC", "."], 0),
        (["--select", "IPC201", "press/desk.py"], 0),
        (["missing.py"], 2),
        (["missing.py", "press/desk.py"], 2),
        (["--exit-zero", "missing.py", "press/desk.py"], 2),
        (["bad.py"], 2),
        (["bad.py", "press/desk.py"], 2),
        (["--exit-zero", "bad.py"], 2),
        (["--quiet", "press/desk.py"], 1),
        (["--verbose", "press/plain.py"], 0),
        (["--statistics"], 2),  # the whole tree: bad.py is in there
        (["empty"], 0),
        (["--no-such-option"], 2),
    ],
    ids=words,
)
def test_exit_code(press: Path, args: list[str], code: int) -> None:
    (press / "empty").mkdir()
    if {"bad.py", "--statistics"} & set(args):
        write(press, {"bad.py": "reply_to = (\n"})
    done = run_check(*args, cwd=press)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr


def test_no_path_is_the_current_folder(press: Path) -> None:
    here = run_check("--output-format", "json", cwd=press)
    assert here.stdout == run_check("--output-format", "json", ".", cwd=press).stdout
    assert spots_of(json_of(here)["findings"]) == ALL


def test_it_also_runs_as_a_console_script(press: Path) -> None:
    script = Path(sys.executable).with_name("ipc-lint")
    done = subprocess.run(
        [script, "check", "--field", "reply_to", "--no-preset", "--output-format", "json"],
        cwd=press,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, spots_of(json_of(done)["findings"])) == (1, ALL)


# ------------------------------------------------------------------------ select, ignore


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["--select", "IPC001"], ["IPC001"]),
        (["--select", "IPC1"], ["IPC101", "IPC102"]),
        (["--select", "IPC"], CODES),
        (["--select", "dropped-field"], ["IPC001"]),
        (["--select", "IPC2,unroutable-send"], ["IPC102", "IPC201"]),
        (["--select", "IPC001", "--select", "IPC201"], ["IPC001", "IPC201"]),
        (["--ignore", "IPC001"], ["IPC101", "IPC102", "IPC201"]),
        (["--ignore", "IPC1"], ["IPC001", "IPC201"]),
        (["--ignore", "gate-on-wrong-object,IPC10"], ["IPC001"]),
        (["--select", "IPC1", "--ignore", "IPC102"], ["IPC101"]),
        (["--select", "IPC001", "--ignore", "IPC001"], []),
    ],
    ids=words,
)
def test_select_and_ignore(press: Path, args: list[str], expected: list[str]) -> None:
    done = run_check("--output-format", "json", *args, cwd=press)
    assert codes(done) == expected
    assert done.returncode == (1 if expected else 0)


@pytest.mark.parametrize("word", ["IPC7", "dropped", "X", "IPC0011", "dropped-field,nope"])
@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_an_unknown_rule_is_bad_usage(press: Path, option: str, word: str) -> None:
    done = run_check(option, word, cwd=press)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"no such rule: {word.rpartition(',')[2]}" in done.stderr


# ----------------------------------------------------------------------------- the field


def test_another_field_is_another_question(press: Path) -> None:
    assert found_by_command(press, field="return_to") == []


def test_several_fields_are_followed_at_once(press: Path) -> None:
    other = {"other.py": ALONE.replace("reply_to", "hop")}
    write(press, other)
    both = sorted([*ALL, *marked(other)])
    again = run_check("--field", "hop", "--output-format", "json", cwd=press)
    assert spots_of(json_of(again)["findings"]) == both
    assert found_by_command(press, field="hop,reply_to") == both


def test_the_preset_follows_its_own_field_only(press: Path) -> None:
    write(press, {"other.py": ALONE.replace("reply_to", "http_worker_ipc")})
    done = run("check", "--output-format", "json", cwd=press)
    (finding,) = json_of(done)["findings"]
    assert (finding["path"], finding["field"]) == ("other.py", "http_worker_ipc")


# ------------------------------------------------------------------------------- summary


def test_the_summary_counts_what_was_asked_for(press: Path) -> None:
    done = run_check("press", cwd=press)
    assert re.fullmatch(r"Found 4 faults \(4 errors\), 5 files checked \(\d+\.\d\d s\)\n", done.stderr)
    assert run_check("--quiet", "press", cwd=press).stderr == ""


def test_concise_is_a_line_for_each_finding(press: Path) -> None:
    lines = run_check("--output-format", "concise", cwd=press).stdout.splitlines()
    found = [re.match(r"(.+?):(\d+):\d+: (IPC\d{3}) \S", line) for line in lines]
    assert [Spot(m[1], int(m[2]), m[3]) for m in found if m] == ALL
    assert len(lines) == len(ALL)


# --------------------------------------------------------------------------- determinism


def test_two_runs_print_the_same_bytes_whatever_the_hash_seed(press: Path) -> None:
    write(press, {f"more/m{n}.py": ALONE for n in range(3)})
    outputs = {
        run_check("--output-format", kind, cwd=press, env={"PYTHONHASHSEED": seed}).stdout
        for kind in ("json",)
        for seed in ("0", "1", "2", "3")
    }
    assert len(outputs) == 1


def test_the_order_in_which_files_were_made_does_not_matter(tmp_path: Path) -> None:
    names = sorted(PRESS)
    shuffled = [names[3], names[1], names[4], names[0], names[2]]
    outputs = set()
    for number, order in enumerate([names, names[::-1], shuffled]):
        root = write(tmp_path / str(number) / "checkout", {name: PRESS[name] for name in order})
        outputs.add(run_check("--output-format", "json", cwd=root).stdout)
    assert len(outputs) == 1


def test_the_order_in_which_paths_are_named_does_not_matter(press: Path) -> None:
    one = run_check("--output-format", "json", "press/desk.py", "press/sender.py", cwd=press)
    two = run_check("--output-format", "json", "press/sender.py", ".", "press/desk.py", cwd=press)
    assert json_of(one)["findings"] == json_of(two)["findings"]
    assert spots_of(json_of(one)["findings"]) == ALL


# ------------------------------------------------------------------------- a part alone


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("folder", [".", "press", "../elsewhere"])
def test_a_file_alone_has_the_findings_that_the_tree_has_in_it(
    tmp_path: Path, mark: str, folder: str
) -> None:
    root = write(tmp_path / "checkout", PRESS)
    if MARKS[mark]:
        write(root, {MARKS[mark][1:]: ""})
    (tmp_path / "elsewhere").mkdir()
    cwd = root / folder
    for name in PRESS:
        asked = os.path.relpath(root / name, cwd)
        done = run_check("--output-format", "json", asked, cwd=cwd)
        expected = [Spot(asked, spot.line, spot.code) for spot in ALL if spot.path == name]
        assert spots_of(json_of(done)["findings"]) == expected
        assert json_of(done)["files_checked"] == 1


def test_a_folder_alone_has_the_findings_that_the_tree_has_in_it(
    press: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = {"press/desks/main.py": DESK, "press/desks/__init__.py": ""}
    write(press, desk)
    (press / "press/desk.py").unlink()
    monkeypatch.chdir(press)
    assert found("press/desks") == marked(desk)
    assert found("press/sender.py") == marked({"press/sender.py": PRESS["press/sender.py"]})


def test_a_project_in_another_is_not_mixed_up_with_it(press: Path) -> None:
    write(press, {"vendored/.git/HEAD": "", "vendored/alone.py": ALONE, "vendored/plain.py": PLAIN})
    expected = sorted([*ALL, *marked({"vendored/alone.py": ALONE})])
    assert found_by_command(press) == expected


# -------------------------------------------------------------------- hands off the code


def snapshot(root: Path) -> dict[str, tuple[bytes, int, int]]:
    return {
        str(path.relative_to(root)): (path.read_bytes(), path.stat().st_mode, path.stat().st_mtime_ns)
        for path in files_of(root)
    }


def test_the_code_is_neither_run_nor_imported(press: Path, tmp_path: Path) -> None:
    marker = tmp_path / "was-run"
    bomb = f"open({str(marker)!r}, 'w').close()\nraise SystemExit(9)\nreply_to = 1\n"
    names = [
        "press/bomb.py",
        "conftest.py",
        "setup.py",
        "sitecustomize.py",
        "libcst.py",
        "click.py",
        "json.py",
    ]
    write(press, {**dict.fromkeys(names, bomb), "press/desk.py": "import press.bomb\n" + DESK})
    script = Path(sys.executable).with_name("ipc-lint")
    done = subprocess.run(
        [script, "check", "--field", "reply_to", "--no-preset", "--output-format", "concise"],
        cwd=press,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == len(ALL)
    assert not marker.exists()


@pytest.mark.parametrize("prepare", [lambda root: None, lambda root: (root / "press/desk.py").chmod(0o444)])
def test_the_code_is_never_written(press: Path, prepare: Callable[[Path], None]) -> None:
    prepare(press)
    before = snapshot(press)
    run_check("--verbose", cwd=press)
    assert snapshot(press) == before


# ------------------------------------------------------------------- copies of a package

SENDS = """\
from press.sender import Sender
from press.model import Abort, {kind}


def close(sender: Sender, thing: {kind}):
    sender.send(Abort(rid=thing.rid), thing)
"""


@pytest.fixture
def copies(press: Path) -> Path:
    """A package and its old copy; only the copy's caller passes what the gate shuts out."""
    (press / "press/desk.py").unlink()
    write(press, {"press/close.py": SENDS.format(kind="Order")})
    for name in ("__init__", "model", "sender"):
        write(press, {f"build/lib/press/{name}.py": PRESS[f"press/{name}.py"]})
    return write(press, {"build/lib/press/close.py": SENDS.format(kind="Job")})


def test_a_copy_below_build_is_passed_over(copies: Path) -> None:
    assert found_by_command(copies) == []


def test_copies_are_not_taken_for_each_others_callers(copies: Path) -> None:
    expected = [Spot("build/lib/press/sender.py", 9, "IPC201")]
    assert found_by_command(copies, "--exclude", "nothing", ".") == expected


def test_two_whole_copies_have_the_same_faults(press: Path) -> None:
    copy = {f"build/lib/{name}": text for name, text in PRESS.items()}
    write(press, copy)
    expected = sorted([*ALL, *marked(copy)])
    assert found_by_command(press, "--exclude", "nothing", ".") == expected
