"""Small projects for tests: what their markers expect, and what the linter finds in them.

A finding is expected by ``# IPC001`` at the end of the line where it starts (``# IPC001 IPC101`` for
two). Expectations are complete: a line without a marker is a line without a finding.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ipc_lint.engine import check
from ipc_lint.model import Report
from ipc_lint.settings import Settings

FIELD = "reply_to"
_MARKER = re.compile(r"# (IPC\d{3}(?: IPC\d{3})*)[ \t]*\r?$")
_BLOCK = re.compile(r"^(`{3,})python(?:[ \t]+(\S+))?[ \t]*\n(.*?)^\1[ \t]*$", re.MULTILINE | re.DOTALL)


class Spot(NamedTuple):
    """Where a finding starts, and its code."""

    path: str
    line: int
    code: str


def marked(files: Mapping[str, str]) -> list[Spot]:
    """The findings that the markers in some files expect."""
    spots = [
        Spot(path, number, code)
        for path, text in files.items()
        for number, line in enumerate(text.splitlines(), 1)
        for match in [_MARKER.search(line)]
        if match
        for code in match.group(1).split()
    ]
    return sorted(spots)


def blocks(text: str, default: str = "example.py") -> list[tuple[str, str]]:
    """The Python blocks of a Markdown text: (file name from the info string, code)."""
    return [(name or default, code) for _, name, code in _BLOCK.findall(text)]


def differences(found: Iterable[Spot], files: Mapping[str, str]) -> list[str]:
    """What is amiss, a line each with its source: misses and false alarms."""
    have, want = Counter(found), Counter(marked(files))
    amiss = [("missed", spot) for spot in (want - have).elements()]
    amiss += [("false alarm", spot) for spot in (have - want).elements()]
    lines = {path: text.splitlines() for path, text in files.items()}
    return [
        f"{what}: {path}:{line} {code} | {lines[path][line - 1].strip()}"
        for what, (path, line, code) in sorted(amiss, key=lambda item: item[1])
    ]


def settings(field: str = FIELD, **options: Any) -> Settings:
    """The settings of ``--field FIELD --no-preset``."""
    return Settings(fields=(field,), preset=None, **options)


def spots(report: Report) -> list[Spot]:
    """The findings of a report."""
    return sorted(Spot(f.path, f.span.line, f.code) for f in report.findings)


def found(*paths: str, field: str = FIELD, **options: Any) -> list[Spot]:
    """What a run in this process finds below the working directory; nothing may go unread."""
    report = check(paths or (".",), settings(field, **options))
    assert report.problems == ()
    return spots(report)


def run(*args: str, cwd: Path, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """The real command line: ``ipc-lint ARGS``."""
    return subprocess.run(
        [sys.executable, "-m", "ipc_lint", *args],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )


def run_check(
    *args: str, cwd: Path, field: str = FIELD, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """``ipc-lint check --field FIELD --no-preset ARGS``."""
    return run("check", "--field", field, "--no-preset", *args, cwd=cwd, env=env)


def json_of(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The report that a run with ``--output-format json`` printed."""
    loaded: dict[str, Any] = json.loads(done.stdout)
    return loaded


def spots_of(findings: Iterable[Mapping[str, Any]]) -> list[Spot]:
    """The findings of a JSON report."""
    return sorted(Spot(f["path"], f["line"], f["code"]) for f in findings)


def found_by_command(cwd: Path, *args: str, field: str = FIELD) -> list[Spot]:
    """What the real command line finds; its exit code must say the same."""
    done = run_check("--output-format", "json", *(args or (".",)), cwd=cwd, field=field)
    report = json_of(done)
    assert report["errors"] == []
    assert done.returncode == (1 if report["findings"] else 0), done.stderr
    return spots_of(report["findings"])


def codes_of_concise(text: str) -> list[str]:
    """The codes of a report with one line a finding."""
    return [line.split(" ")[1] for line in text.splitlines()]
