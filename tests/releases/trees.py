"""Copies of released trees, and the real command line over them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.project import json_of, run


def findings(tree: Path, *args: str) -> list[dict[str, Any]]:
    """What ``ipc-lint check ARGS`` finds at the root of a tree; nothing may go unread."""
    done = run("check", "--output-format", "json", *args, cwd=tree)
    assert done.returncode in (0, 1), done.stderr
    report = json_of(done)
    assert report["errors"] == []
    assert done.returncode == bool(report["findings"])
    found: list[dict[str, Any]] = report["findings"]
    return found


def renamed(tree: Path, name: str, into: Path) -> Path:
    """A copy whose package has another name, its lines unchanged."""
    for path in sources(tree):
        target = into / name / path.relative_to(tree / "sglang")
        target.parent.mkdir(parents=True, exist_ok=True)
        data = path.read_bytes()
        target.write_bytes(re.sub(rb"\bsglang\b", name.encode(), data) if b"sglang" in data else data)
    return into


def part(tree: Path, words: Iterable[bytes], into: Path) -> Path:
    """A copy of the files that hold one of the words, at their places."""
    for path in sources(tree):
        data = path.read_bytes()
        if any(word in data for word in words):
            target = into / path.relative_to(tree)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    return into


def sources(tree: Path) -> list[Path]:
    """The Python files of a release."""
    return sorted((tree / "sglang").rglob("*.py"))
