"""The JSON report through the real command line: every key is a promise."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from ipc_lint import __version__
from tests.project import json_of, marked, run_check
from tests.server import DESK, PRESS
from tests.trees import write

Finding = dict[str, Any]
KEYS: dict[str, type | tuple[type, ...]] = {
    "code": str,
    "name": str,
    "severity": str,
    "message": str,
    "path": str,
    "line": int,
    "column": int,
    "end_line": int,
    "end_column": int,
    "symbol": str,
    "field": str,
    "carrier": str,
    "origin": (str, type(None)),
    "fix": (dict, type(None)),
    "related": list,
    "fingerprint": str,
    "explain": str,
    "suppressed": (str, type(None)),
}


@pytest.fixture
def press(tmp_path: Path) -> Path:
    return write(tmp_path / "checkout", {**PRESS, ".git/HEAD": ""})


def report_of(cwd: Path, *args: str) -> dict[str, Any]:
    return json_of(run_check("--output-format", "json", *args, cwd=cwd))


def by_code(press: Path) -> dict[str, Finding]:
    return {finding["code"]: finding for finding in report_of(press)["findings"]}


def test_the_whole_has_its_keys_in_order(press: Path) -> None:
    report = report_of(press)
    assert list(report) == ["version", "files_checked", "findings", "errors"]
    assert (report["version"], report["files_checked"], report["errors"]) == (__version__, len(PRESS), [])


def test_a_clean_run_has_empty_lists(press: Path) -> None:
    whole = {"version": __version__, "files_checked": 1, "findings": [], "errors": []}
    assert report_of(press, "press/plain.py") == whole


def test_errors_have_path_and_message(press: Path) -> None:
    write(press, {"bad.py": "reply_to = (\n"})
    assert report_of(press, "bad.py", "missing")["errors"] == [
        {"path": "bad.py", "message": "line 1, column 12: '(' was never closed"},
        {"path": "missing", "message": "no such file or directory"},
    ]


def test_a_finding_has_its_keys_in_order_with_their_types(press: Path) -> None:
    findings = report_of(press)["findings"]
    assert len(findings) == len(marked(PRESS))
    for finding in findings:
        assert list(finding) == list(KEYS)
        for key, kind in KEYS.items():
            assert isinstance(finding[key], kind), key
        assert finding["severity"] in ("error", "warning")
        assert re.fullmatch(r"[0-9a-f]{16}", finding["fingerprint"])
        assert finding["explain"] == f"ipc-lint explain {finding['code']}"
        for related in finding["related"]:
            assert [(key, type(value)) for key, value in related.items()] == [
                ("path", str),
                ("line", int),
                ("column", int),
                ("message", str),
            ]


def test_findings_are_ordered_by_place(press: Path) -> None:
    places = [(f["path"], f["line"], f["column"]) for f in report_of(press)["findings"]]
    assert places == sorted(places)
    assert len(set(places)) == len(places)


def test_a_finding_spans_its_construction_send_or_gate(press: Path) -> None:
    spanned = {}
    for code, finding in by_code(press).items():
        line = PRESS[finding["path"]].splitlines()[finding["line"] - 1]
        assert finding["end_line"] == finding["line"]
        spanned[code] = line[finding["column"] - 1 : finding["end_column"] - 1]
    assert spanned == {
        "IPC001": 'Job(order.rid, "refused")',
        "IPC101": "self.sender.send(Abort(rid=order.rid))",
        "IPC102": "self.sender.send(Beat(load=len(self.jobs)))",
        "IPC201": "isinstance(origin, Message)",
    }


def test_a_finding_names_the_symbol_the_carrier_and_the_origin(press: Path) -> None:
    named = {c: (f["symbol"], f["carrier"], f["origin"], f["field"]) for c, f in by_code(press).items()}
    assert named == {
        "IPC001": ("Desk.refuse", "press.model.Job", "order", "reply_to"),
        "IPC101": ("Desk.forget", "press.model.Abort", "order", "reply_to"),
        "IPC102": ("Desk.beat", "press.model.Beat", None, "reply_to"),
        "IPC201": ("Sender.send", "press.model.Job", "origin", "reply_to"),
    }


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("IPC001", ["`Job`", "`order`", "reply_to", "hangs"]),
        ("IPC101", ["`Abort`", "`order`", "reply_to", "hangs"]),
        ("IPC102", ["`Beat`", "reply_to", "dropped"]),
        ("IPC201", ["`Job`", "`origin`", "isinstance(origin, Message)", "reply_to", "hang"]),
    ],
)
def test_a_message_names_class_field_origin_and_what_will_happen(
    press: Path, code: str, words: list[str]
) -> None:
    message = by_code(press)[code]["message"]
    assert [word for word in words if word not in message] == []
    assert "\n" not in message


def test_a_gate_has_the_calls_that_it_breaks_as_related_places(press: Path) -> None:
    (related,) = by_code(press)["IPC201"]["related"]
    line = DESK.splitlines()[related["line"] - 1]
    assert related["path"] == "press/desk.py"
    assert line[related["column"] - 1 :] == "self.sender.send(Abort(rid=job.rid), job)"
    assert "Job" in related["message"]


@pytest.mark.parametrize("folder", [".", "press", "..", "../elsewhere", "press/deep/down"])
@pytest.mark.parametrize("absolute", [True, False])
def test_paths_are_relative_to_the_working_directory(press: Path, folder: str, absolute: bool) -> None:
    cwd = press / folder
    cwd.mkdir(parents=True, exist_ok=True)
    asked = str(press) if absolute else os.path.relpath(press, cwd)
    expected = [Path(os.path.relpath(press / spot.path, cwd)).as_posix() for spot in marked(PRESS)]
    findings = report_of(cwd, asked)["findings"]
    assert sorted(f["path"] for f in findings) == sorted(expected)
    related = {r["path"] for f in findings for r in f["related"]}
    named = {Path(os.path.relpath(press / path, cwd)).as_posix() for path in PRESS}
    assert related <= named
    assert Path(os.path.relpath(press / "press/desk.py", cwd)).as_posix() in related


@pytest.mark.parametrize(
    "asked", [".", "./", "./press", "press/", "press/../press", "./press/../press/desk.py"]
)
def test_paths_have_one_form_however_they_are_asked_for(press: Path, asked: str) -> None:
    paths = {finding["path"] for finding in report_of(press, asked)["findings"]}
    assert paths <= {"press/desk.py", "press/sender.py"}
    assert "press/desk.py" in paths


def test_a_fingerprint_stays_when_lines_move_and_changes_with_the_statement(press: Path) -> None:
    before = {code: finding["fingerprint"] for code, finding in by_code(press).items()}
    assert len(set(before.values())) == len(before)
    moved = DESK.replace("class Desk:", "X = 1\n\n\nclass Desk:").replace("# IPC", "# see IPC")
    write(press, {"press/desk.py": moved})
    assert {code: finding["fingerprint"] for code, finding in by_code(press).items()} == before
    write(press, {"press/desk.py": moved.replace('"refused"', '"closed"')})
    after = {code: finding["fingerprint"] for code, finding in by_code(press).items()}
    assert {code for code in after if after[code] != before[code]} == {"IPC001"}


def test_a_path_beyond_ascii_is_itself(press: Path) -> None:
    write(press, {"druck/größe 日本.py": DESK})
    paths = {finding["path"] for finding in report_of(press, "druck")["findings"]}
    assert paths == {"druck/größe 日本.py"}
