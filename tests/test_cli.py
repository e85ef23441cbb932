"""The command line as far as it goes without a run; test_check.py has the rest."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ipc_lint import __version__
from ipc_lint.cli.output import coloured
from ipc_lint.cli.summary import statistics, summary
from ipc_lint.model import Problem, Report
from tests.report.sample import DROPPED, REPORT, UNROUTABLE


def run(*args: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ipc_lint", *args]
    return subprocess.run(command, capture_output=True, text=True, **options)  # type: ignore[call-overload,no-any-return]


def test_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"ipc-lint {__version__}\n", "")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["chekc"], "No such command 'chekc'"),
        (["check", "--nope"], "No such option"),
        (["check", "--output-format", "xml"], "'xml' is not one of 'text', 'concise', 'json'"),
        (["check", "--field", "a-b,ok"], "not the name of an attribute: a-b"),
        (["check", "--field", "class"], "not the name of an attribute: class"),
        (["check", "--field", ""], "Invalid value for '--field': it is empty"),
        (["check", "--select", " , "], "Invalid value for '--select': it is empty"),
        (["check", "--jobs", "0"], "Invalid value for '-j' / '--jobs'"),
        (["check", "--no-preset"], "--no-preset leaves nothing to look for"),
        (["check", "-v", "-q"], "--verbose and --quiet exclude each other"),
        (["check", "--diff", "--output-file", "x"], "--output-file is for the findings"),
        (["check", "--output-file", "."], "is a directory"),
        (["rules", "--output-format", "xml"], "'xml' is not one of 'text', 'json'"),
        (["explain", "IPC999"], "no such rule: IPC999 (did you mean IPC9?)"),
        (["explain", "nothing"], "no such rule: nothing (see `ipc-lint rules`)"),
        (["check", "--select", "ipc001"], "no such rule: ipc001 (did you mean IPC001?)"),
        (["check", "--select", "IPC01"], "no such rule: IPC01 (did you mean IPC001?)"),
        (["explain", "ipc0201"], "no such rule: ipc0201 (did you mean IPC201?)"),
        (["check", ""], "an empty path"),
        (["check", "--baseline", ""], "Invalid value for '--baseline': it is empty"),
        (["check", "--since", ""], "Invalid value for '--since': it is empty"),
        (["clean", "--cache-dir", ""], "Invalid value for '--cache-dir': it is empty"),
        (["."], "No such command '.' (did you mean `ipc-lint check .`?)"),
    ],
)
def test_bad_usage_exits_2_and_says_why(args: list[str], message: str) -> None:
    done = run(*args)
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    first, *others = done.stderr.splitlines()
    assert first.startswith("ipc-lint: ")
    assert others in ([], [f"Try `ipc-lint {args[0]} --help`."], ["Try `ipc-lint --help`."])


def test_without_a_command_the_help_is_shown() -> None:
    assert "Commands:" in run().stderr + run().stdout


def test_starting_loads_nothing_of_ours_but_the_command_line() -> None:
    code = "import sys, ipc_lint.cli; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    ours = [name for name in loaded if name.startswith("ipc_lint")]
    assert ours[:2] == ["ipc_lint", "ipc_lint.cli"]
    assert all(name.startswith("ipc_lint.cli.") for name in ours[2:])
    assert not {"libcst", "pathspec", "dataclasses", "json"} & set(loaded)


@pytest.mark.parametrize(
    ("report", "line"),
    [
        (
            REPORT,
            "Found 2 faults (1 error, 1 warning), 3 files checked (0.84 s); 2 paths could not be checked",
        ),
        (
            Report((DROPPED,), (), 2, unknown_fields=("repyl_to",)),
            "Found 1 fault (1 error), 2 files checked (0.84 s); no class declares repyl_to",
        ),
        (
            Report((), (), 2, unknown_fields=("repyl_to",)),
            "Nothing to check: no class declares repyl_to in 2 files (another field? --field NAME)",
        ),
        (Report((DROPPED,), (), 4719), "Found 1 fault (1 error), 4719 files checked (0.84 s)"),
        (Report((UNROUTABLE,) * 2, (), 1), "Found 2 faults (2 warnings), 1 file checked (0.84 s)"),
        (Report((), (), 4719), "No lost addresses in 4719 files (0.84 s)"),
        (Report((), (Problem("a", "b"),), 0), "Nothing could be checked"),
        (Report((), (), 0), "No Python files found"),
    ],
)
def test_summary(report: Report, line: str) -> None:
    assert summary(report, 0.8412) == line


def test_statistics_have_the_most_frequent_first() -> None:
    report = Report((DROPPED, UNROUTABLE, UNROUTABLE), (), 3)
    assert statistics(report) == "    2  IPC102  unroutable-send\n    1  IPC001  dropped-field\n"


@pytest.mark.parametrize(
    ("choice", "environment", "expected"),
    [
        ("always", {"NO_COLOR": "1"}, True),
        ("never", {"FORCE_COLOR": "1"}, False),
        ("auto", {}, False),  # the tests have no terminal
        ("auto", {"FORCE_COLOR": "1"}, True),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": ""}, True),
    ],
)
def test_colour(
    choice: str, environment: dict[str, str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert coloured(choice, sys.stdout) is expected


WRITE = "import sys; from ipc_lint.cli.output import show; show('x\\n' * 100_000); show('more'); sys.exit(7)"


def test_a_reader_that_goes_away_changes_nothing() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITE], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 7


def test_output_closed_from_the_start_is_no_fault() -> None:
    done = subprocess.run(["sh", "-c", f'"{sys.executable}" -c "{WRITE}" >&-'], capture_output=True)
    assert (done.returncode, done.stderr) == (7, b"")


@pytest.mark.parametrize(
    ("failure", "code", "last_line"),
    [
        ("KeyboardInterrupt()", 130, ""),
        ("ZeroDivisionError('a bug')", 2, "ZeroDivisionError: a bug"),  # 1 would mean findings
    ],
)
def test_exit_code_of_a_run_that_does_not_end(failure: str, code: int, last_line: str) -> None:
    script = (
        "import sys; from ipc_lint import cli\n"
        f"@cli.cli.command()\ndef fail():\n    raise {failure}\n"
        "sys.argv[1:] = ['fail']\ncli.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == code
    assert done.stdout == ""
    assert done.stderr.strip().rpartition("\n")[2] == last_line
