"""Released sources of sglang, linted whole by the real command line: what is known to be wrong, no more."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests import corpus
from tests.releases.labels import LABELS, Labels
from tests.releases.trees import findings, renamed


@pytest.mark.parametrize("release", LABELS)
def test_a_release(release: str) -> None:
    assert LABELS[release].amiss(findings(corpus.tree(release))) == []


@pytest.mark.parametrize("release", LABELS)
def test_a_release_under_another_name_with_nothing_known_but_the_field(release: str, tmp_path: Path) -> None:
    tree = renamed(corpus.tree(release), "myserve", tmp_path)
    found = findings(tree, "--field", "http_worker_ipc", "--no-preset")
    assert LABELS[release].amiss(found, "myserve") == []


@pytest.mark.parametrize("release", LABELS)
def test_the_labels_name_real_functions(release: str) -> None:
    tree, labels = corpus.tree(release), LABELS[release]
    for label in labels.must + labels.allowed:
        first, last = function_lines(tree / label.path, label.function)
        assert first <= label.lines[0] <= label.lines[1] <= last, label


def test_every_pinned_release_but_one_is_labelled() -> None:
    assert set(corpus.SHA256) - set(LABELS) == {"0.5.11"}


def function_lines(path: Path, qualname: str) -> tuple[int, int]:
    """The first and last line of a function, by the names of the definitions around it."""
    scopes: list[ast.AST] = [ast.parse(path.read_bytes())]
    for name in qualname.split("."):
        scopes = [child for scope in scopes for child in definitions(scope) if child.name == name]
    (found,) = scopes
    assert isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef)
    assert found.end_lineno
    return found.lineno, found.end_lineno


def definitions(scope: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """The functions and classes defined directly in a scope, blocks included."""
    found = []
    for child in ast.iter_child_nodes(scope):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.append(child)
        elif isinstance(child, ast.stmt):
            found += definitions(child)
    return found


LABEL = LABELS["0.5.10"].must[0]
FOUND = {
    "path": LABEL.path,
    "line": LABEL.lines[0],
    "code": "IPC001",
    "symbol": LABEL.function,
    "message": "lost",
}


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        ([FOUND], []),
        ([], ["missed"]),
        ([FOUND, FOUND], ["false alarm"]),
        ([{**FOUND, "code": "IPC201"}], ["missed", "false alarm"]),
        ([{**FOUND, "symbol": "other"}], ["missed", "false alarm"]),
        ([{**FOUND, "line": LABEL.lines[0] - 1}], ["missed", "false alarm"]),
        ([{**FOUND, "line": LABEL.lines[1] + 1}], ["missed", "false alarm"]),
        ([{**FOUND, "path": "sglang/other.py"}], ["missed", "false alarm"]),
    ],
)
def test_the_comparison_sees_misses_and_false_alarms(
    found: list[dict[str, object]], verdict: list[str]
) -> None:
    amiss = Labels((LABEL,), ()).amiss(found)
    assert [line.partition(":")[0] for line in amiss] == verdict
