"""The long tail of the rules: every case in ``cases/*.md`` gives exactly the findings it marks.

A level-1 heading opens a setting: its Python blocks are files that all its cases share, and a line
``Field: `name` `` says which field they speak of. A level-2 heading is a case: prose that says what
is right and why, and blocks with a file name on the info string (``example.py`` if there is none).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ipc_lint.rules import RULES, Rule
from tests.project import FIELD, blocks, differences, found, found_by_command, marked
from tests.trees import write

FOLDER = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Case:
    """One heading of a Markdown file."""

    page: str
    title: str
    prose: str
    field: str
    files: dict[str, str]


def cases() -> Iterator[Case]:
    for path in sorted(FOLDER.glob("*.md")):
        for setting in re.split(r"^(?=# \S)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            given, *parts = re.split(r"^## (?=\S)", setting, flags=re.MULTILINE)
            field = re.search(r"^Field: `(\w+)`$", given, re.MULTILINE)
            for part in parts:
                title, _, body = part.partition("\n")
                yield Case(
                    path.stem,
                    title,
                    body.partition("```")[0].strip(),
                    field[1] if field else FIELD,
                    {**dict(blocks(given)), **dict(blocks(body))},
                )


CASES = list(cases())


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of a repository, and the working directory."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.page}: {case.title}")
def test_a_case_gives_exactly_its_markers(case: Case, checkout: Path) -> None:
    write(checkout, case.files)
    assert differences(found(field=case.field), case.files) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_command_line_says_the_same(rule: type[Rule], checkout: Path) -> None:
    # One project out of many cases, each in a folder of its own that holds a repository.
    page = [case for case in CASES if case.page == rule.name and case.field == FIELD][:20]
    files = {f"c{n}/{name}": text for n, case in enumerate(page) for name, text in case.files.items()}
    for name in {path.partition("/")[0] for path in files}:
        (checkout / name / ".git").mkdir(parents=True)
    assert found_by_command(write(checkout, files)) == found()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.page}: {case.title}")
def test_a_case_says_what_it_is_about(case: Case) -> None:
    assert case.prose.endswith((".", ":"))
    for name, text in case.files.items():
        compile(text, name, "exec", dont_inherit=True)


def test_no_two_cases_share_a_title() -> None:
    counts = Counter((case.page, case.title) for case in CASES)
    assert [key for key, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_every_rule_has_cases_with_and_without_findings(rule: type[Rule]) -> None:
    codes = [{spot.code for spot in marked(case.files)} for case in CASES if case.page == rule.name]
    assert any(rule.code in found for found in codes)
    assert set() in codes
