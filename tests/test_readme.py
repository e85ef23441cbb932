"""What README.md shows is what happens."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, get_args

import click
import pytest

from ipc_lint import model
from ipc_lint.cli import baseline, check, config, routes, rules
from ipc_lint.config.schema import PROPERTIES
from ipc_lint.settings import DEFAULT_EXCLUDE
from tests.project import blocks
from tests.releases.labels import LABELS
from tests.trees import write
from tools import readme

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
FILES = {name: code for name, code in blocks(TEXT, "") if name}
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")


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


def section(start: str) -> str:
    """The text from where something starts to the next headline; a table, to its end."""
    assert TEXT.count(start) == 1
    rest = TEXT[TEXT.index(start) :]
    return re.split(r"\n\n" if start.startswith("|") else r"\n## ", rest)[0]


def steady(text: str) -> str:
    """The text without what differs from run to run, or with every release."""
    text = re.sub(r"\(\d+\.\d\d s\)", "(0.00 s)", text)
    return re.sub(r'"version": "[^"]+"', '"version": "0.0.0"', text)


def with_scripts() -> Mapping[str, str]:
    """The environment with ``ipc-lint`` on the path."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)])
    return {**os.environ, "PATH": path}


def in_shell(command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command; what it prints to either stream is its ``stdout``."""
    return subprocess.run(
        shlex.split(command, comments=True),
        cwd=folder,
        env={**with_scripts(), **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_the_examples_are_seen() -> None:
    assert list(FILES) == ["server.py"]
    assert [shown.command for shown in session()] == [
        "ipc-lint check --no-preset --field reply_to .",
        "ipc-lint check --no-preset --field reply_to --diff .",
        "ipc-lint check --no-preset --field reply_to --quiet --output-format json server.py",
        "ipc-lint routes --no-preset --field reply_to .",
    ]


@pytest.mark.parametrize("shown", session(), ids=lambda shown: shown.command)
def test_a_command_prints_what_is_shown_and_changes_nothing(shown: Shown, tmp_path: Path) -> None:
    write(tmp_path, FILES)
    done = in_shell(shown.command, tmp_path)
    assert steady(done.stdout) == steady(shown.output)
    assert done.returncode == (1 if " check " in shown.command else 0)
    assert (tmp_path / "server.py").read_text(encoding="utf-8") == FILES["server.py"]


def test_fix_writes_what_diff_shows(tmp_path: Path) -> None:
    (diff,) = [shown.output for shown in session() if "--diff" in shown.command]
    removed, added = re.findall(r"^[-+] (.*)$", diff, re.MULTILINE)
    write(tmp_path, FILES)
    assert in_shell("ipc-lint check -q --no-preset --field reply_to --fix .", tmp_path).returncode == 0
    text = (tmp_path / "server.py").read_text(encoding="utf-8")
    assert text == FILES["server.py"].replace(removed, added) != FILES["server.py"]


def test_the_other_commands_run(tmp_path: Path) -> None:
    lines = [line for block in fenced("sh") for line in block.splitlines() if line.startswith("ipc-lint")]
    assert len(lines) == 14
    write(tmp_path, {"python/sglang/empty.py": ""})
    git(tmp_path, "init --quiet")
    git(tmp_path, "commit --quiet --allow-empty --message none")
    for line in lines:
        assert in_shell(line, tmp_path).returncode == 0, line


def options_of(command: click.Command) -> set[str]:
    """The options of a command."""
    return {option for param in command.params if isinstance(param, click.Option) for option in param.opts}


def test_every_option_is_described_and_no_other() -> None:
    real = options_of(check.check)
    table = re.findall(r"^\| (`.*?) \|", section("| option of `check` |"), re.MULTILINE)
    described = [option for cell in table for option in OPTION.findall(cell)]
    assert sorted(described) == sorted(real | {"-h", "--help"})
    assert set(OPTION.findall(section("## Options"))) <= set(described)


def test_every_option_of_rules_is_named() -> None:
    assert options_of(rules.rules) == {"--output-format"}
    assert options_of(rules.explain) == set()
    assert "with --output-format json also" in TEXT


def test_every_format_is_described_and_no_other() -> None:
    described = re.findall(r"^\| `(\w+)` \|", section("| format |"), re.MULTILINE)
    assert tuple(described) == check.FORMATS


def test_the_pages_that_are_linked_are_there() -> None:
    linked = re.findall(r"\]\((?!https?:|#)([^)#]+)\)", TEXT)
    assert {"docs/ci.md", "docs/rules/README.md"} <= set(linked)
    assert all((ROOT / name).is_file() for name in linked)


def test_every_option_of_routes_is_named_and_no_other() -> None:
    (text,) = re.findall(r"^It takes `PATHS`.*?\.\n", section("## Every site of the field"), re.M | re.S)
    assert sorted(OPTION.findall(text)) == sorted(options_of(routes.routes))
    formats = re.findall(r"`--output-format` is `(\w+)` or `(\w+)`", text)
    assert formats == [routes.FORMATS]


def test_every_option_of_baseline_is_named_and_no_other() -> None:
    (text,) = re.findall(r"^`ipc-lint baseline` takes.*?\.\s", section("## Known findings"), re.M | re.S)
    assert sorted(OPTION.findall(text)) == sorted(options_of(baseline.baseline))
    assert options_of(config.config) == {"--config"}


def test_every_key_of_the_config_is_described_and_no_other() -> None:
    cells = re.findall(r"^\| (`.*?) \|", section("| key | |"), re.MULTILINE)
    assert sorted(key for cell in cells for key in re.findall(r"`([\w-]+)`", cell)) == sorted(PROPERTIES)


def test_the_config_that_is_shown_holds(tmp_path: Path) -> None:
    (text,) = fenced("toml ipc-lint.toml")
    wire = "def send_to(address, message):\n    pass\n"
    write(tmp_path, {**FILES, "ipc-lint.toml": text, "app/wire.py": wire})
    assert in_shell("ipc-lint check", tmp_path).returncode == 1
    write(tmp_path, {"ipc-lint.toml": re.sub(r"^# ", "", text, flags=re.MULTILINE)})
    assert in_shell("ipc-lint baseline", tmp_path).returncode == 0
    assert in_shell("ipc-lint check", tmp_path).returncode == 0
    shown = in_shell("ipc-lint config", tmp_path).stdout
    assert re.search(r"^fields = \[\"reply_to\"\] +# ipc-lint.toml:1$", shown, re.MULTILINE)


def test_the_comment_that_is_shown_silences(tmp_path: Path) -> None:
    (shown,) = re.findall(r"  (# ipc-lint: ignore.*)", section("## Suppressions"))
    silenced = FILES["server.py"].replace('"nothing to do"))', f'"nothing to do"))  {shown}')
    write(tmp_path, {"server.py": silenced})
    assert in_shell("ipc-lint check --no-preset --field reply_to", tmp_path).returncode == 0


def test_every_kind_of_site_is_described() -> None:
    described = re.findall(r"^\| `(\w+)` \|", section("| kind of site |"), re.MULTILINE)
    assert described == list(get_args(model.Kind))


def test_every_key_of_a_site_is_named(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    command = "ipc-lint routes --no-preset --field reply_to --output-format json ."
    report = json.loads(in_shell(command, tmp_path).stdout)
    (text,) = re.findall(r"^In JSON there are.*?null\.$", section("## Every site of the field"), re.M | re.S)
    whole, _, site = text.partition("A\nsite has")
    assert set(re.findall(r"`(\w+)`", whole)) == report.keys()
    assert re.findall(r"`(\w+)`", site) == list(report["sites"][0])


def test_what_is_excluded_is_listed() -> None:
    (listed,) = fenced("text")
    assert tuple(listed.split()) == DEFAULT_EXCLUDE


def test_every_outcome_is_described() -> None:
    described = re.findall(r"^\| `(\w+)` \|", section("| outcome |"), re.MULTILINE)
    assert described == [kind.__name__.lower() for kind in get_args(model.Outcome)]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("server.py", 1),
        ("empty", 0),
        ("server.py nowhere", 2),
        ("--exit-zero server.py", 0),
        ("--exit-zero nowhere", 2),
        ("--nonsense", 2),
        ("--ignore IPC001 server.py", 0),
        ("--extend-exclude server.py .", 0),
        ("--diff --exit-zero server.py", 0),
        ("--config nowhere server.py", 2),
        ("--baseline nowhere server.py", 2),
        ("--since nowhere server.py", 2),
        ("--exit-zero --since nowhere server.py", 2),
    ],
)
def test_exit_codes_are_as_described(arguments: str, code: int, tmp_path: Path) -> None:
    write(tmp_path, {**FILES, "empty/notes.txt": ""})
    assert in_shell(f"ipc-lint check --no-preset --field reply_to {arguments}", tmp_path).returncode == code


def test_a_field_that_no_class_has_is_said_as_shown(tmp_path: Path) -> None:
    write(tmp_path, {"server.py": "x = 1\n"})
    (shown,) = re.findall(r"`(Nothing to check: .*?)`", TEXT)
    done = in_shell("ipc-lint check --no-preset --field reply_to .", tmp_path)
    assert done.stdout.startswith(shown)
    assert done.returncode == 0


def test_statistics_stay_out_of_json(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    command = "ipc-lint check -q --no-preset --field reply_to --statistics --output-format json ."
    done = subprocess.run(
        shlex.split(command), cwd=tmp_path, env=with_scripts(), capture_output=True, text=True
    )
    assert len(json.loads(done.stdout)["findings"]) == 1
    assert done.stderr.split() == ["1", "IPC001", "dropped-field"]


def test_the_labelled_releases_are_named() -> None:
    assert f"In the labelled releases ({', '.join(LABELS)})" in TEXT


def test_the_table_of_rules_is_current() -> None:
    assert readme.current(TEXT) == TEXT, "run python tools/readme.py"


def test_a_stale_table_of_rules_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stale = write(tmp_path, {"README.md": TEXT.replace("| IPC001 |", "| IPC000 |")}) / "README.md"
    monkeypatch.setattr(readme, "README", stale)
    assert readme.main("--check") == 1
    assert readme.main() == 0
    assert readme.main("--check") == 0
    assert stale.read_text(encoding="utf-8") == TEXT


def hooks() -> list[str]:
    """The two configurations of pre-commit that are shown."""
    return [block for block in fenced("yaml") if block.startswith("repos:")]


def git(folder: Path, command: str) -> None:
    """Run git as somebody."""
    who = "-c user.name=nobody -c user.email=nobody@example.com"
    done = in_shell(f"git {who} {command}", folder)
    assert done.returncode == 0, done.stdout


def clone(folder: Path) -> None:
    """What a clone of this repository would hold if everything were committed."""
    for name in ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        write(folder, {name: (ROOT / name).read_bytes()})
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    git(folder, "init --quiet")
    git(folder, "add .")
    git(folder, "commit --quiet --message all")


@pytest.mark.parametrize("place", [0, 1], ids=["repository", "local"])
def test_the_hook_runs(place: int, tmp_path: Path) -> None:
    project, cache = tmp_path / "project", str(tmp_path / "cache")
    write(project, {**FILES, "clean.py": "x = 1\n", ".pre-commit-config.yaml": hooks()[place]})
    git(project, "init --quiet")
    if place == 0:
        clone(tmp_path / "ipc-lint")
        done = in_shell("pre-commit autoupdate --bleeding-edge", project, PRE_COMMIT_HOME=cache)
        assert done.returncode == 0, done.stdout
        pinned = (project / ".pre-commit-config.yaml").read_text(encoding="utf-8")
        assert re.search(r"^ +rev: [0-9a-f]{40}\b", pinned, re.MULTILINE)
    for name, code in (("clean.py", 0), ("server.py", 1)):
        git(project, f"add {name} .pre-commit-config.yaml")
        done = in_shell("pre-commit run", project, PRE_COMMIT_HOME=cache)
        assert done.returncode == code, done.stdout
        assert ("server.py:17:20: IPC001" in done.stdout) == bool(code)


def test_the_hook_of_the_repository_is_the_local_one_shown() -> None:
    manifest = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    entry = re.compile(r"^ *entry: (.*)$", re.MULTILINE)
    assert entry.findall(manifest)[:1] == entry.findall(hooks()[1])
    assert "`ipc-lint-fix`" in TEXT
    done = in_shell("pre-commit validate-manifest .pre-commit-hooks.yaml", ROOT)
    assert done.returncode == 0, done.stdout
