"""What is wrong with a config is said, all of it, with file and line; and what is right is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ipc_lint.codes import CODES
from ipc_lint.config.faults import faults
from ipc_lint.config.schema import PROPERTIES
from ipc_lint.files.toml import parse
from ipc_lint.presets import load
from ipc_lint.rules import RULES
from ipc_lint.settings import Settings
from tests.project import run
from tests.trees import write
from tools import schema

BAD = """\
[project]
name = "x"

[tool.ipc-lint]
feilds = ["a"]
fields = [
    "ok",
    "a-b",
    3,
]
select = "IPC"
ignore = ["IPC001", "IPC7"]
preset = true
force-exclude = "yes"
exclude = [""]
severity = { IPC1 = "bad", IPX = "error" }
senders = ["a b"]

[tool.ipc-lint.per-file-ignores]
"tests/*" = ["IPC1"]
x = ["nope"]
"""
SAID = """\
5: unknown key `feilds` (did you mean `fields`?)
6: `fields` has to be a list of strings, not of a number
8: `fields`: not the name of an attribute: a-b
11: `select` has to be a list, not a string
12: `ignore`: no such rule: IPC7
13: `preset` has to be "sglang" or false
14: `force-exclude` has to be true or false, not a string
15: `exclude`: an empty string says nothing
16: `severity.IPC1` has to be "error" or "warning"
16: `severity.IPX`: no such rule: IPX
17: `senders`: not a qualified name: a b
21: `per-file-ignores.x`: no such rule: nope
"""
COMMANDS = [["check"], ["check", "--fix", "in"], ["routes"], ["baseline"], ["config"], ["config", "in/x.py"]]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_all_errors_are_said_at_once(command: list[str], tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": BAD, "in/x.py": ""})
    done = run(*command, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "".join(f"ipc-lint: pyproject.toml:{line}\n" for line in SAID.splitlines())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fields = [\n", "1: not TOML: "),
        ("\nfields = a\n", "2: not TOML: invalid value"),
        (b"# \xff\n", "1: not UTF-8"),
        ("\npreset = false\n", " `preset = false` leaves nothing to look for: name `fields`"),
        ("fields = 1\r\nselect = 2\r\n", "1: `fields` has to be a list, not a number"),
        ("baseline = false\n", "1: `baseline` has to be a string, not false"),
        ("fields = ['class']\n", "1: `fields`: not the name of an attribute: class"),
        (
            "[tool.ipc-lint]\nfields = ['a']\n",
            "1: unknown key `tool` (only pyproject.toml has [tool.ipc-lint];",
        ),
        ("severity = 1979-05-27\n", "1: `severity` has to be a table, not a date"),
    ],
)
def test_an_error_has_its_line(text: str | bytes, message: str, tmp_path: Path) -> None:
    write(tmp_path, {"ipc-lint.toml": text})
    done = run("check", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"ipc-lint: ipc-lint.toml:{message}")


@pytest.mark.parametrize("table", ["tool.ipc_lint", "tool.ipclint", "tool.IPC-Lint", "ipc-lint"])
def test_a_table_that_is_misspelt(table: str, tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": f"[project]\nname = 'x'\n\n[{table}]\nfields = ['a']\n"})
    done = run("check", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == f"ipc-lint: pyproject.toml:4: [{table}] is [tool.ipc-lint], misspelt\n"


def test_a_config_that_is_not_there(tmp_path: Path) -> None:
    done = run("check", "--config", "no.toml", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "ipc-lint: no.toml: cannot be read: No such file or directory\n"


def test_a_table_of_ours_that_is_none(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "[tool]\nipc-lint = 3\n"})
    done = run("check", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "ipc-lint: pyproject.toml:2: the config has to be a table, not a number\n"


def test_nothing_is_left_to_look_for(tmp_path: Path) -> None:
    write(tmp_path, {"ipc-lint.toml": 'fields = ["reply_to"]\n'})
    assert run("check", "--no-preset", cwd=tmp_path).returncode == 0
    (tmp_path / "ipc-lint.toml").unlink()
    assert "name a --field" in run("check", "--no-preset", cwd=tmp_path).stderr


# ------------------------------------------------------------------- the command config


def test_config_shows_each_value_and_where_it_is_from(tmp_path: Path) -> None:
    text = '[tool.ipc-lint]\n\nfields = ["reply_to"]\npreset = false\n\n'
    text += '[tool.ipc-lint.per-file-ignores]\n"a b" = ["IPC1"]\n'
    write(tmp_path, {"pyproject.toml": text, "in/x.py": ""})
    done = run("config", "../in/x.py", cwd=write(tmp_path, {"out/y": ""}) / "out")
    assert done.returncode == 0
    said = {line.split(" = ")[0]: line.rpartition("  # ") for line in done.stdout.splitlines()}
    assert said["fields"][0].strip() == 'fields = ["reply_to"]'
    assert said["fields"][2] == "../pyproject.toml:3"
    assert said["preset"][2] == "../pyproject.toml:4"
    assert said["per-file-ignores"][0].strip() == 'per-file-ignores = { "a b" = ["IPC1"] }'
    assert said["per-file-ignores"][2] == "../pyproject.toml:6"
    assert said["select"][2] == "default"


def test_what_config_shows_is_a_config(tmp_path: Path) -> None:
    shown = run("config", cwd=tmp_path).stdout
    assert list(faults(parse(shown))) == []
    write(tmp_path, {"ipc-lint.toml": shown.replace("preset", "# preset").replace("exclude = [", "x = [")})
    assert "x" in run("config", cwd=tmp_path).stderr
    write(tmp_path, {"ipc-lint.toml": shown})
    again = run("config", cwd=tmp_path)
    assert again.returncode == 0
    assert [line for line in again.stdout.splitlines() if line.endswith("# default")] == [
        line for line in again.stdout.splitlines() if line.startswith("# baseline is not set")
    ]


def test_without_any_file_all_is_default(tmp_path: Path) -> None:
    done = run("config", cwd=tmp_path)
    fields, *others = done.stdout.splitlines()
    assert fields.endswith("  # default: http_worker_ipc, by the preset")
    assert {line.rpartition("  # ")[2] for line in others} == {"default"}


# -------------------------------------------------------------------------- agreement


def test_every_setting_has_its_key_and_no_other() -> None:
    names = {key.replace("-", "_") for key in PROPERTIES}
    assert names == set(Settings.__struct_fields__) - {"config", "cache"}


def test_the_codes_are_those_of_the_rules() -> None:
    assert {rule.code: rule.name for rule in RULES} == CODES


def test_the_presets_are_there() -> None:
    for name in json.loads(schema.current())["properties"]["preset"]["enum"]:
        assert name is False or load(name).fields


def test_the_schema_in_the_package_is_current(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert schema.main("--check") == 0, "run python tools/schema.py"
    monkeypatch.setattr(schema, "FILE", tmp_path / "schema.json")
    assert schema.main("--check") == 1
    assert schema.main() == 0
    assert schema.main("--check") == 0
