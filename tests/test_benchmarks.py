"""The benchmark: its arithmetic, its table, and the rules that the peers are given. Nothing here is timed."""

from __future__ import annotations

import importlib
import resource
import shlex
import sys
import sysconfig
import types
from pathlib import Path
from typing import Any, ClassVar

import libcst as cst
import pytest
import yaml
from libcst.metadata import MetadataWrapper, ParentNodeProvider, PositionProvider

from benchmarks import commands, compare
from benchmarks.install import Peer, Present
from benchmarks.measure import Command, Comparison, Failed, Measured, Run, measure, run
from benchmarks.table import BEGIN, END, table, write
from ipc_lint.codes import CODES
from tests.trees import write as write_files

RULES = ["IPC001", "IPC101", "IPC201"]

FAULTS = """\
class Scheduler:
    def again(self, recv_req):
        return Req(recv_req.rid, text=recv_req.text)  # IPC001

    def piece(self, i):
        return type(self)(rid=self.rid[i], text=self.text[i])  # IPC001

    def health(self):
        self.sender.send_output(HealthCheckOutput())  # IPC101

    def send_output(self, output, recv_obj=None):
        if (
            isinstance(recv_obj, BaseReq)  # IPC201
            and recv_obj.http_worker_ipc is not None
        ):
            output.http_worker_ipc = recv_obj.http_worker_ipc
        self.socket.send(output)
"""
NO_FAULTS = """\
class Scheduler:
    def passed(self, recv_req):
        return Req(recv_req.rid, http_worker_ipc=recv_req.http_worker_ipc)

    def spread(self, recv_req, **more):
        return Req(recv_req.rid, **more)

    def set_later(self, recv_req):
        req = Req(recv_req.rid)
        req.http_worker_ipc = recv_req.http_worker_ipc
        return req

    def sent(self, req):
        self.sender.send_output(AbortReq(rid=req.rid), req)
        abort = AbortReq(rid=req.rid)
        self.sender.send_output(abort, req)
        self.abort_request(AbortReq(rid=req.rid))

    def with_address(self, req):
        output = BatchOutput(http_worker_ipcs=[req.http_worker_ipc])
        self.sender.send_output(output)

    def no_message(self, req):
        return Counter(req.rid)

    def send_output(self, output, recv_obj=None):
        if isinstance(output, BaseReq) and output.http_worker_ipc is None:
            output.http_worker_ipc = recv_obj.http_worker_ipc
"""


class LintRule(cst.CSTVisitor):
    """What fixit's rules are made of, as far as ours use it; fixit itself is not installed here."""

    METADATA_DEPENDENCIES = (ParentNodeProvider, PositionProvider)
    found: ClassVar[list[tuple[int, str]]] = []

    def report(self, node: cst.CSTNode) -> None:
        where: Any = self.get_metadata(PositionProvider, node)
        self.found.append((where.start.line, type(self).__name__))


@pytest.fixture
def fixit_rules(monkeypatch: pytest.MonkeyPatch) -> list[type[LintRule]]:
    """The rules for fixit, in the order in which they stand."""
    fixit = types.ModuleType("fixit")
    vars(fixit)["LintRule"] = LintRule
    monkeypatch.setitem(sys.modules, "fixit", fixit)
    monkeypatch.setattr(LintRule, "found", [])
    monkeypatch.delitem(sys.modules, "benchmarks.peers.fixit_rules", raising=False)
    module = importlib.import_module("benchmarks.peers.fixit_rules")
    rules = [rule for name, rule in vars(module).items() if name.startswith("IPC")]
    monkeypatch.delitem(sys.modules, "benchmarks.peers.fixit_rules")
    return rules


def marked(code: str) -> list[tuple[int, str]]:
    """The lines with a marker."""
    lines = enumerate(code.splitlines(), 1)
    return [(number, line.rpartition("# ")[2]) for number, line in lines if "# IPC" in line]


@pytest.mark.parametrize("code", [FAULTS, NO_FAULTS], ids=["faults", "none"])
def test_the_rules_for_fixit_report_what_is_marked(code: str, fixit_rules: list[type[LintRule]]) -> None:
    for rule in fixit_rules:
        MetadataWrapper(cst.parse_module(code)).visit(rule())
    assert sorted(LintRule.found) == marked(code)


def ast_grep_rules() -> list[str]:
    """The codes of the rules for ast-grep."""
    return [rule["id"] for rule in yaml.safe_load_all((commands.RULES / "ast-grep.yml").read_text("utf-8"))]


def semgrep_rules() -> list[str]:
    """The codes of the rules for semgrep."""
    rules = yaml.safe_load((commands.RULES / "semgrep.yml").read_text("utf-8"))["rules"]
    assert all(rule["languages"] == ["python"] and rule["patterns"] for rule in rules)
    return [rule["id"] for rule in rules]


def test_every_peer_has_the_same_rules(fixit_rules: list[type[LintRule]]) -> None:
    assert ast_grep_rules() == semgrep_rules() == [rule.__name__ for rule in fixit_rules] == RULES
    assert set(RULES) <= set(CODES)


def test_the_files_that_the_commands_name_are_there() -> None:
    words = [word for one in commands.comparisons(1, 1) for word in shlex.split(one.theirs.shown)]
    named = [Path(commands.RULES, word.removeprefix("$RULES/")) for word in words if "$RULES/" in word]
    assert [path.name for path in named] == ["ast-grep.yml", "semgrep.yml"]
    assert all(path.is_file() for path in named)
    assert (commands.RULES / "fixit_rules.py").is_file()


OURS = Command("ours --all .", Present("click"), found=r"^Found (\d+)")
THEIRS = Command("theirs", Present("click"))
OTHERS = Command("others", Present("click"), found=r"^\S+: E\d+ ")


def measured(theirs: Command, ours: list[float], others: list[float]) -> Measured:
    """A comparison that took so many seconds, run by run."""
    return Measured(
        Comparison(OURS, theirs, pairs=len(ours)),
        [Run(seconds, 30 << 20, 1) for seconds in ours],
        [Run(seconds, 20 << 20, None if theirs is THEIRS else 6) for seconds in others],
    )


def test_a_ratio_is_the_median_of_the_ratios_within_the_pairs() -> None:
    # 2, 0.5 and 4 in the pairs; the medians of the times would make it 3.
    assert measured(THEIRS, [2.0, 3.0, 4.0], [1.0, 6.0, 1.0]).ratio == 2.0
    assert measured(THEIRS, [1.0, 3.0], [1.0, 1.0]).ratio == 2.0


def test_a_table_has_one_row_a_command() -> None:
    text = table([measured(THEIRS, [1.0, 2.0], [4.0, 4.0]), measured(OTHERS, [9.0], [300.0])], "about it")
    assert text == (
        "| command | runs | median | fastest to slowest | ratio | peak memory | findings |\n"
        "|---|---:|---:|---:|---:|---:|---:|\n"
        "| `ours --all .` | 3 | 2.000 s | 1.000 to 9.000 s | 1 | 30 MB | 1 |\n"
        "| `theirs` | 2 | 4.000 s | 4.000 to 4.000 s | 0.375 | 20 MB |  |\n"
        "| `others` | 1 | 300.000 s | 300.000 to 300.000 s | 0.03 | 20 MB | 6 |\n"
        "\n"
        "about it\n"
    )


def test_the_table_of_all_has_one_row_a_command() -> None:
    run = Run(1.0, 1, 1)
    every = [Measured(one, [run] * one.pairs, [run] * one.pairs) for one in commands.comparisons(5, 1)]
    rows = table(every, "").splitlines()[2:-1]
    shown = [row.split("`")[1] for row in rows if row]
    ours = [commands.CHECK, commands.WARM, commands.ONE_FILE, commands.VERSION]
    assert [line for line in shown if line.startswith("ipc-lint")] == [command.shown for command in ours]
    assert len(shown) == len(ours) + len(every)
    assert [row.split(" | ")[1] for row in rows[:5]] == ["16", "5", "5", "5", "1"]


def test_fixit_can_be_left_out() -> None:
    left = [one.theirs for one in commands.comparisons(5, 0)]
    assert commands.FIXIT not in left
    assert len(left) == len(commands.comparisons(5, 1)) - 1


def test_the_table_is_written_between_the_markers(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    write("new\n", page)
    assert page.read_text(encoding="utf-8") == f"before\n{BEGIN}\nnew\n{END}\nafter\n"
    page.write_text("no place\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="no place marked"):
        write("new\n", page)


def test_the_readme_has_the_place() -> None:
    text = (commands.RULES.parent.parent / "README.md").read_text(encoding="utf-8")
    assert text.count(BEGIN) == text.count(END) == 1


def python(code: str, found: str | None = None) -> Command:
    """A command that runs a line of Python."""
    return Command(f"{sys.executable} -c {shlex.quote(code)}", Present("click"), found)


@pytest.mark.parametrize(
    ("found", "number"), [(r"^Found (\d+)", 3), (r"^\S+:\d+: E", 2), ("^nothing", 0), (None, None)]
)
def test_findings_are_counted_or_read(found: str | None, number: int | None, tmp_path: Path) -> None:
    code = "import sys; print('a:1: E1 x\\nb:2: E1 x\\n'); print('Found 3 faults', file=sys.stderr)"
    assert run(python(code, found), tmp_path, {}).findings == number


def test_a_peak_is_that_of_the_command_and_not_of_who_started_it(tmp_path: Path) -> None:
    unit = 1 if sys.platform == "darwin" else 1024
    here = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    small, large = (run(python(f"b'x' * {size}"), tmp_path, {}).peak for size in (1, 1 << 26))
    assert small < here / 2
    assert large > small + (1 << 25)


def test_variables_are_filled_in_and_handed_on(tmp_path: Path) -> None:
    code = "import os, sys; print('Found', sys.argv[1] == os.environ['CACHE'] and 1)"
    command = Command(f"{python(code).shown} $CACHE", Present("click"), r"^Found (\d)")
    assert run(command, tmp_path, {"CACHE": "here"}).findings == 1


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (python("raise SystemExit('no way')"), "exit code 1: no way"),
        (python("raise SystemExit(2)", found="^x"), "exit code 2: no reason given"),
        (Command("no-such-program", Present("click")), "No such file"),
    ],
)
def test_a_command_that_fails_says_why(command: Command, why: str, tmp_path: Path) -> None:
    with pytest.raises(Failed, match=why):
        run(command, tmp_path, {})


def test_two_commands_run_in_turn_and_the_warm_up_does_not_count(tmp_path: Path) -> None:
    note = "open('notes', 'a').write('{}')"
    ours, theirs = (python(note.format(name)) for name in "AB")
    measured = measure(Comparison(ours, theirs, pairs=2, warm_ups=1), tmp_path, {})
    assert (tmp_path / "notes").read_text() == "ABABAB"
    assert len(measured.ours) == len(measured.theirs) == 2


def test_what_fails_is_left_out_unless_it_is_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = python("0"), python("raise SystemExit('no way')")
    left = list(compare.measure_all([Comparison(good, bad, 1), Comparison(good, good, 1)], tmp_path))
    assert [one.comparison.theirs for one in left] == [good]
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("left out")]
    assert line.endswith("exit code 1: no way")
    with pytest.raises(SystemExit):
        list(compare.measure_all([Comparison(bad, good, 1)], tmp_path))


def test_peers_lie_in_the_cache_and_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IPC_LINT_CORPUS", str(tmp_path))
    assert Peer("fixit", "1.0").home != Peer("fixit", "1.1").home != Peer("semgrep", "1.0").home
    assert Peer("fixit", "1.0").home.is_relative_to(tmp_path)
    assert Present("click").programs() == Path(sysconfig.get_path("scripts"))


def test_a_peer_that_is_complete_is_not_installed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IPC_LINT_CORPUS", str(tmp_path))
    peer = Peer("semgrep", "1.0")
    write_files(peer.home, {"complete": ""})
    assert peer.programs() == peer.home / "bin"


def test_a_peer_that_cannot_be_installed_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path, {"file": ""})
    monkeypatch.setenv("IPC_LINT_CORPUS", str(tmp_path / "file"))
    with pytest.raises(Failed, match=r"^fixit 1\.0: cannot be installed: .*Not a directory"):
        Peer("fixit", "1.0").programs()
