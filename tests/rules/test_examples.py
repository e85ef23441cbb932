"""The documentation of each rule is run: the fault is found where it is marked, the cure is silent."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from ipc_lint.rules import RULES, Rule
from tests.project import blocks, found_by_command, marked
from tests.trees import write

HEADINGS = ["Why is this bad?", "Example", "Use instead", "Fix safety", "References"]

each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)


def documentation(rule: type[Rule]) -> str:
    return inspect.cleandoc(rule.__doc__ or "")


def examples(rule: type[Rule]) -> list[str]:
    return [code for _, code in blocks(documentation(rule))]


@each_rule
def test_the_example_gives_exactly_its_markers(rule: type[Rule], tmp_path: Path) -> None:
    files = {"example.py": examples(rule)[0]}
    expected = marked(files)
    assert {spot.code for spot in expected} == {rule.code}
    assert found_by_command(write(tmp_path, files)) == expected


@each_rule
def test_what_to_use_instead_is_silent_under_all_rules(rule: type[Rule], tmp_path: Path) -> None:
    assert found_by_command(write(tmp_path, {"example.py": examples(rule)[1]})) == []


@each_rule
def test_the_headings_are_fixed_and_each_has_its_block(rule: type[Rule]) -> None:
    text = documentation(rule)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == HEADINGS
    sections = dict(zip(["", *HEADINGS], re.split(r"^## .+$", text, flags=re.MULTILINE), strict=True))
    assert {title: len(blocks(section)) for title, section in sections.items()} == {
        **dict.fromkeys(["", *HEADINGS], 0),
        "Example": 1,
        "Use instead": 1,
    }
    assert all(section.strip() for section in sections.values())


@each_rule
def test_the_first_line_is_one_sentence(rule: type[Rule]) -> None:
    first, second, *_ = documentation(rule).splitlines()
    assert re.fullmatch(r"[A-Z].{20,98}\.", first)
    assert second == ""


@each_rule
def test_code_name_and_file_fit_each_other(rule: type[Rule]) -> None:
    assert re.fullmatch(r"IPC\d{3}", rule.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)
    assert rule.__module__.rpartition(".")[2] == rule.name.replace("-", "_")
    assert rule.__name__ == rule.name.title().replace("-", "")


def test_codes_and_names_are_unique_and_listed_in_order() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_every_file_of_a_rule_is_listed() -> None:
    folder = Path(inspect.getfile(Rule)).parent
    files = {path.stem for path in folder.glob("[!_]*.py")}
    assert files == {rule.__module__.rpartition(".")[2] for rule in RULES}
