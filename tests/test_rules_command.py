"""The rules as documentation: ``ipc-lint rules``, ``ipc-lint explain``, docs/rules/."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from ipc_lint.cli.rules import FORMATS
from ipc_lint.report import RULES as RENDERERS
from ipc_lint.rules import RULES, Rule
from tests.project import blocks, json_of, run, run_check
from tests.trees import write
from tools import rule_pages

each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    done = run("rules", "--output-format", "json", cwd=tmp_path_factory.mktemp("empty"))
    assert (done.returncode, done.stderr) == (0, "")
    rules: list[dict[str, Any]] = json.loads(done.stdout)
    return rules


def test_the_command_line_offers_every_format() -> None:
    assert tuple(RENDERERS) == FORMATS


def test_every_rule_is_listed_with_its_keys(listed: list[dict[str, Any]]) -> None:
    assert [(rule["code"], rule["name"], rule["severity"]) for rule in listed] == [
        (rule.code, rule.name, rule.severity) for rule in RULES
    ]
    for rule in listed:
        assert list(rule) == ["code", "name", "severity", "summary", "text", "fix", "link"]
        assert rule["text"].startswith(f"{rule['summary']}\n\n## ")


def test_the_table_says_the_same(listed: list[dict[str, Any]], tmp_path: Path) -> None:
    head, *rows = run("rules", cwd=tmp_path).stdout.splitlines()
    assert head.split() == ["code", "name", "severity", "fix", "what", "it", "reports"]
    assert [row.split(maxsplit=4) for row in rows] == [
        [rule["code"], rule["name"], rule["severity"], rule["fix"] or "-", rule["summary"]] for rule in listed
    ]


@each_rule
def test_a_rule_has_the_fix_that_its_example_gets(
    rule: type[Rule], listed: list[dict[str, Any]], tmp_path: Path
) -> None:
    code = blocks(inspect.cleandoc(rule.__doc__ or ""))[0][1]
    done = run_check("--output-format", "json", cwd=write(tmp_path, {"example.py": code}))
    fixes = {finding["fix"] and finding["fix"]["applicability"] for finding in json_of(done)["findings"]}
    (said,) = [described["fix"] for described in listed if described["code"] == rule.code]
    assert fixes == {said}


@each_rule
def test_explain_says_all_of_it(rule: type[Rule], tmp_path: Path) -> None:
    done = run("explain", rule.code, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == f"# {rule.code} {rule.name}"
    assert [line.removeprefix("## ") for line in lines if line.startswith("## ")] == [
        "Why is this bad?",
        "Example",
        "Use instead",
        "Fix safety",
        "How to silence it",
        "References",
    ]
    assert f"--ignore {rule.code}`" in done.stdout
    assert inspect.cleandoc(rule.__doc__ or "").partition("## References")[0] in done.stdout


@pytest.mark.parametrize("word", ["ipc201", "gate-on-wrong-object"])
def test_a_rule_is_explained_by_name_and_in_any_case(word: str, tmp_path: Path) -> None:
    assert run("explain", word, cwd=tmp_path).stdout == run("explain", "IPC201", cwd=tmp_path).stdout


@each_rule
def test_what_silences_a_rule_silences_it(rule: type[Rule], tmp_path: Path) -> None:
    code = blocks(inspect.cleandoc(rule.__doc__ or ""))[0][1]
    write(tmp_path, {"example.py": code})
    for word in (rule.code, rule.name):
        assert run_check("--ignore", word, cwd=tmp_path).returncode == 0
    assert run_check("--extend-exclude", "example.py", cwd=tmp_path).returncode == 0
    assert run_check(cwd=tmp_path).returncode == 1


@each_rule
def test_a_page_is_what_explain_shows(rule: type[Rule], tmp_path: Path) -> None:
    page = (rule_pages.FOLDER / f"{rule.code}.md").read_text(encoding="utf-8")
    assert page == run("explain", rule.code, cwd=tmp_path).stdout


def test_the_pages_are_current() -> None:
    assert rule_pages.main("--check") == 0, "run python tools/rule_pages.py"


@pytest.mark.parametrize("what", ["stale", "missing", "left"])
def test_a_page_that_is_not_current_is_noticed(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rule_pages, "FOLDER", tmp_path / "rules")
    assert rule_pages.main() == 0
    assert rule_pages.main("--check") == 0
    page = tmp_path / "rules" / ("IPC999.md" if what == "left" else "IPC001.md")
    if what == "missing":
        page.unlink()
    else:
        page.write_text("old", encoding="utf-8")
    assert rule_pages.main("--check") == 1
    assert page.name in capsys.readouterr().err
    assert rule_pages.main() == 0
    assert rule_pages.main("--check") == 0
    assert page.exists() is (what != "left")
