"""``ipc-lint routes`` on small projects, through the real command line."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ipc_lint import __version__, engine, judge
from ipc_lint.cli.routes import FORMATS
from ipc_lint.files.source import Source, Unreadable
from ipc_lint.report import ROUTES
from ipc_lint.sites import slices, visitors
from ipc_lint.sites.slices import Slice
from tests.project import FIELD, json_of, run, run_check, settings
from tests.server import PRESS
from tests.trees import write

RELAY = Path(__file__).parent / "fixtures" / "relay"

RELAY_ROUTES = """\
relay/desk.py
  20:32 construction Draft: passed — back_to is passed
  22:32 construction Draft: lost — back_to is neither passed nor set
  25:9  send Outbox.post_back: stamped — Outbox.post_back copies the field from draft
  25:31 construction Notice: stamped — a message: Outbox.post_back sets the field if it is sent through it
  28:15 construction Ban: stamped — a message: Outbox.post_back sets the field if it is sent through it
  29:9  send Outbox.post_back: lost — the origin is at hand and not given
  32:9  send Outbox.post_back: lost — there is neither an origin nor a field
  32:31 construction Notice: noclient — it is not given the identity of anything

relay/outbox.py
  11:12 gate Outbox.post_back: lost — callers pass Draft, which the test shuts out
  12:13 stamp output: passed — copied from `answered`

relay/wire.py
  33:9 stamp self: passed — given as `back_to`

              passed  stamped  noclient  unproven  lost
construction       1        2         1         0     1
send               0        1         0         0     2
gate               0        0         0         0     1
copy               0        0         0         0     0
stamp              2        0         0         0     0
"""


def run_routes(*args: str, cwd: Path, field: str = FIELD) -> subprocess.CompletedProcess[str]:
    """``ipc-lint routes --field FIELD --no-preset ARGS``."""
    return run("routes", "--field", field, "--no-preset", *args, cwd=cwd)


def sites(*args: str, cwd: Path, field: str = FIELD) -> list[dict[str, Any]]:
    """The sites of the JSON report of a run that reads everything."""
    done = run_routes("--output-format", "json", *args, cwd=cwd, field=field)
    assert (done.returncode, done.stderr) == (0, "")
    found: list[dict[str, Any]] = json_of(done)["sites"]
    return found


def in_words(site: dict[str, Any]) -> str:
    """A site as the text format and ``--verbose`` have it."""
    what = f"{site['kind']} {site['subject']}: {site['outcome']} — {site['reason']}"
    return f"{site['line']}:{site['column']} {what}"


@pytest.fixture
def press(tmp_path: Path) -> Path:
    """A server with one fault of each kind."""
    return write(tmp_path / "server", PRESS)


# ------------------------------------------------------------------------------ formats


def test_text() -> None:
    done = run_routes(cwd=RELAY, field="back_to")
    assert (done.returncode, done.stdout, done.stderr) == (0, RELAY_ROUTES, "")


def test_colour_is_all_that_colour_adds() -> None:
    done = run_routes("--color", "always", cwd=RELAY, field="back_to")
    assert "\x1b[31;1mlost\x1b[0m" in done.stdout
    assert re.sub(r"\x1b\[[\d;]*m", "", done.stdout) == RELAY_ROUTES


def test_json() -> None:
    done = run_routes("--output-format", "json", "relay/outbox.py", cwd=RELAY, field="back_to")
    none = {"passed": 0, "stamped": 0, "noclient": 0, "unproven": 0, "lost": 0}
    assert json_of(done) == {
        "version": __version__,
        "sites": [
            {
                "kind": "gate",
                "path": "relay/outbox.py",
                "line": 11,
                "column": 12,
                "end_line": 11,
                "end_column": 47,
                "symbol": "Outbox.post_back",
                "subject": "Outbox.post_back",
                "field": "back_to",
                "outcome": "lost",
                "reason": "callers pass Draft, which the test shuts out",
                "code": "IPC201",
            },
            {
                "kind": "stamp",
                "path": "relay/outbox.py",
                "line": 12,
                "column": 13,
                "end_line": 12,
                "end_column": 46,
                "symbol": "Outbox.post_back",
                "subject": "output",
                "field": "back_to",
                "outcome": "passed",
                "reason": "copied from `answered`",
                "code": None,
            },
        ],
        "totals": {
            "construction": none,
            "send": none,
            "gate": {**none, "lost": 1},
            "copy": none,
            "stamp": {**none, "passed": 1},
        },
        "errors": [],
    }


def test_both_formats_say_the_same(press: Path) -> None:
    report = json_of(run_routes("--output-format", "json", cwd=press))
    counted = Counter((site["kind"], site["outcome"]) for site in report["sites"])
    assert counted == Counter(
        {(kind, what): n for kind, row in report["totals"].items() for what, n in row.items() if n}
    )
    text = run_routes(cwd=press).stdout.partition("\n\n  ")[0]  # the totals apart
    said = [" ".join(line.split()) for line in text.splitlines() if line.startswith("  ")]
    assert said == [in_words(site) for site in report["sites"]]


def test_the_command_line_offers_every_format() -> None:
    assert tuple(ROUTES) == FORMATS


# ---------------------------------------------------------------------- stamps and copies

MESSAGE = """\
import copy, dataclasses, msgspec
from copy import deepcopy
from dataclasses import dataclass, replace


@dataclass
class Message:
    rid: str | None = None
    reply_to: str | None = None
    reply_tos: list | None = None

    def __getitem__(self, i):
        rid = self.rid[i]
        return Message(rid, reply_to=self.reply_to)  # copy passed: reply_to is passed

    def split(self):
        return [type(self)() for r in self.rid]  # copy noclient: it is not given the identity of anything

    @classmethod
    def named(cls, rid):
        return cls(rid, reply_to="here")  # copy passed: reply_to is passed

    def beat(self):
        return Message()  # construction noclient: it is not given the identity of anything

    def mark(self, address):
        self.reply_to = address  # stamp passed: given as `address`
"""

STAMPS = """\
def stamp(m: Message, other: Message, address, rows):
    m.reply_to = None  # stamp unproven: cleared
    m.reply_to = (other.reply_to)  # stamp passed: copied from `other`
    m.reply_to, x = getattr(other, "reply_to", None), 3  # stamp passed: copied from `other`
    m.reply_to: str = address; x = 1  # stamp passed: given as `address`
    setattr(m, "reply_to", "é" + address)  # stamp passed: an address of its own
    m.rows[0].reply_tos = [row.reply_to for row in rows]  # stamp passed: copied from `row`
    m.reply_tos += [address]  # stamp passed: an address of its own
    m.reply_tos += other.reply_tos  # stamp passed: copied from `other`
    kept = other.reply_to
    later = lambda: setattr(m, "reply_to", kept)  # stamp passed: copied from `other`
    m.text = other.reply_to
    setattr(m, "text", None)
    m.mark(address)  # stamp stamped: Message.mark sets the field on m


def both(a, b, address):
    a.reply_to = b.reply_to = address  # stamp passed: given as `address`; stamp passed: given as `address`


def gated(m, rows):
    if isinstance(m, Message):  # gate passed: it tests the object that is written to
        m.reply_to = "here"  # stamp passed: an address of its own
    elif isinstance(m, str):
        return
    for row in rows:
        if type(row) is Message:  # gate passed: it tests the object that is written to
            row.reply_to = "here"  # stamp passed: an address of its own


def user(m, rows):
    gated(m, rows)  # stamp stamped: gated sets the field on m
    gated(*rows)  # stamp unproven: the arguments come from a * or ** whose content is not known


class Held:
    first: Message = Message(reply_to="here")  # construction passed: reply_to is passed


def default(m=Message(reply_to="here")):  # construction passed: reply_to is passed
    return m


m = Message()  # construction noclient: it is not given the identity of anything
m.reply_to = "here"  # stamp passed: an address of its own
"""

COPIES = """\
def copies(m: Message, more):
    yield copy.copy(m)  # copy passed: a copy keeps the field
    yield deepcopy(m)  # copy passed: a copy keeps the field
    yield replace(m, rid="1")  # copy passed: a copy keeps the field
    yield dataclasses.replace(m, reply_to=None)  # copy unproven: reply_to is None on purpose
    yield msgspec.structs.replace(m, reply_to="here")  # copy passed: reply_to is passed
    yield replace(m, **more)  # copy unproven: a copy is made with fields that are not known
    yield m.model_copy()  # copy passed: a copy keeps the field
    yield m.model_copy(update={"reply_to": None})  # copy unproven: reply_to is None on purpose
    yield m.model_copy(update=more)  # copy unproven: a copy is made with fields that are not known
    yield m._replace(reply_to=m.reply_to)  # copy passed: reply_to is passed
    yield m.copy()  # copy passed: a copy keeps the field
    yield "a b".replace(" ", ""), copy.copy(more), more.copy()
"""


def described(text: str) -> list[tuple[int, str, str, str]]:
    """The sites that the comments of a text describe: line, kind, outcome, reason."""
    return [
        (number, match[1], match[2], match[3])
        for number, line in enumerate(text.splitlines(), 1)
        for said in line.partition("  # ")[2].split("; ")
        for match in [re.fullmatch(r"(\w+) (\w+): (.+)", said)]
        if match
    ]


@pytest.mark.parametrize("code", [STAMPS, COPIES], ids=["stamps", "copies"])
def test_every_site_and_no_other(code: str, tmp_path: Path) -> None:
    text = f"{MESSAGE}\n\n{code}"
    write(tmp_path, {"all.py": text})
    found = [(s["line"], s["kind"], s["outcome"], s["reason"]) for s in sites(cwd=tmp_path)]
    assert sorted(found) == sorted(described(text))


@pytest.mark.parametrize(
    "change", [str, lambda text: text.replace("\n", "\r\n"), lambda text: "\ufeff" + text]
)
def test_sites_are_where_python_has_them(change: Callable[[str], str], tmp_path: Path) -> None:
    text = f"{MESSAGE}\n\n{STAMPS}"
    write(tmp_path, {"all.py": change(text)})
    places = {
        (node.lineno, column(text, node.lineno, node.col_offset), node.end_lineno, end)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.stmt | ast.expr)
        for end in [column(text, node.end_lineno or 0, node.end_col_offset or 0)]
    }
    found = {(s["line"], s["column"], s["end_line"], s["end_column"]) for s in sites(cwd=tmp_path)}
    assert len(found) > 20
    assert found <= places


def column(text: str, line: int, byte: int) -> int:
    """The column in code points, from 1."""
    return len(text.splitlines()[line - 1].encode()[:byte].decode()) + 1


def test_a_method_of_the_project_is_no_copying_one(tmp_path: Path) -> None:
    own = "\n    def copy(self):\n        return Message(self.rid, self.reply_to)\n"
    user = "\n\ndef user(m: Message):\n    return m.copy()\n"
    write(tmp_path, {"all.py": MESSAGE + own + user})
    lines = (MESSAGE + own).count("\n")
    assert [site["line"] for site in sites(cwd=tmp_path) if site["line"] >= lines] == [lines]


# -------------------------------------------------------------------- paths and exit codes


@pytest.mark.parametrize("path", ["press/desk.py", "press/sender.py", "press/model.py"])
def test_a_file_alone_has_the_sites_it_has_in_the_whole(path: str, press: Path) -> None:
    alone = sites(path, cwd=press)
    assert alone
    assert alone == [site for site in sites(cwd=press) if site["path"] == path]


@pytest.mark.parametrize(
    ("args", "code", "error"),
    [
        (["press"], 0, ""),
        (["press/plain.py"], 0, "No site of the field in 1 file"),
        (["press", "missing.py"], 2, "ipc-lint: missing.py: "),
        (["."], 2, "ipc-lint: bad.py: line 1, "),
        (["--extend-exclude", "bad.py", "."], 0, ""),
        (["--extend-exclude", "", "press"], 0, ""),
        (["--force-exclude", "--exclude", "bad.py", "bad.py"], 0, "No Python files found"),
        (["--fix", "press"], 2, "No such option"),
        (["--output-format", "concise"], 2, "'concise' is not one of 'text', 'json'"),
        (["--exclude", "!", "press"], 2, "not a pattern"),
    ],
)
def test_exit_codes(args: list[str], code: int, error: str, press: Path) -> None:
    write(press, {"bad.py": "reply_to = (\n"})
    done = run_routes(*args, cwd=press)
    assert done.returncode == code, done.stderr
    assert error in done.stderr
    assert bool(done.stderr) == bool(error)


def test_what_can_be_read_is_listed_beside_what_cannot(press: Path) -> None:
    whole = sites("press", cwd=press)
    write(press, {"bad.py": "reply_to = (\n"})
    done = run_routes("--output-format", "json", cwd=press)
    report = json_of(done)
    assert done.returncode == 2
    assert [error["path"] for error in report["errors"]] == ["bad.py"]
    assert report["sites"] == whole


def test_a_function_that_libcst_cannot_take_hides_no_other(
    press: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(source: Source, first: int, last: int) -> Slice:
        if first in (10, 13) and source.path.endswith("desk.py"):
            raise Unreadable(f"line {first}: cannot be looked at in detail")
        return slices.cut(source, first, last)

    whole = engine.routes([str(press)], settings())
    monkeypatch.setattr(visitors, "cut", cut)
    monkeypatch.setattr(visitors, "simple_statement", lambda source, line: (10, 10))
    report = engine.routes([str(press)], settings())
    assert [problem.message for problem in report.problems] == ["line 10: cannot be looked at in detail"]
    lost = {site.symbol for site in set(whole.sites) - set(report.sites)}
    assert lost == {"Desk.admit", "Desk.refuse"}


def test_a_field_that_no_class_has_is_said(press: Path) -> None:
    done = run_routes(cwd=press, field="replyto")
    assert done.returncode == 0
    assert done.stderr.startswith("Nothing to check: no class declares replyto in 5 files")


def test_several_fields_are_told_apart(tmp_path: Path) -> None:
    write(tmp_path, {"all.py": "class Both:\n    rid = reply_to = sent_to = None\n\n\nBoth(sent_to=1)\n"})
    found = sites("--field", "sent_to", cwd=tmp_path)
    assert [(site["field"], site["outcome"]) for site in found] == [
        ("reply_to", "noclient"),
        ("sent_to", "passed"),
    ]


# --------------------------------------------------------------------------- beside check


def test_verbose_says_the_same(press: Path) -> None:
    lines = [f"{site['path']}:{in_words(site)}" for site in sites(cwd=press)]
    *said, _ = run_check("--verbose", cwd=press).stderr.splitlines()
    assert said[-len(lines) :] == lines


def test_check_looks_for_no_more_than_it_needs(press: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unwanted(*args: object) -> object:
        raise AssertionError("looked for")

    for name in ("Stamps", "Copies", "classified", "gates_before_stamps"):
        monkeypatch.setattr(judge, name, unwanted)
    assert len(engine.check([str(press)], settings()).findings) == 4
    with pytest.raises(AssertionError, match="looked for"):
        engine.routes([str(press)], settings())
