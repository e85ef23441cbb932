"""A file linted alone gives what the whole tree gives for it, wherever it is linted from."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests import corpus
from tests.releases.trees import findings

FILES = [
    ("0.5.9", "sglang/srt/managers/scheduler.py", 3),
    ("0.5.9", "sglang/srt/managers/session_controller.py", 1),
    ("0.5.18", "sglang/srt/session/session_controller.py", 0),  # `managers` is not a package, `session` is
]


@cache
def whole(release: str) -> list[dict[str, Any]]:
    """The findings in the whole tree, by absolute paths."""
    tree = corpus.tree(release)
    return [at(tree, finding) for finding in findings(tree)]


def at(folder: Path, finding: dict[str, Any]) -> dict[str, Any]:
    """A finding with its paths, relative to a folder, made absolute."""

    def absolute(path: str) -> str:
        return os.path.normpath(folder / path)

    related = [{**r, "path": absolute(r["path"])} for r in finding["related"]]
    return {**finding, "path": absolute(finding["path"]), "related": related}


@pytest.mark.parametrize(("release", "name", "faults"), FILES)
@pytest.mark.parametrize("start", ["root", "folder of the file", "elsewhere"])
def test_alone_as_in_the_whole(release: str, name: str, faults: int, start: str, tmp_path: Path) -> None:
    tree = corpus.tree(release)
    file = tree / name
    folder = {"root": tree, "folder of the file": file.parent, "elsewhere": tmp_path}[start]
    found = [at(folder, f) for f in findings(folder, os.path.relpath(file, folder))]
    assert found == [finding for finding in whole(release) if finding["path"] == str(file)]
    assert len(found) == faults
