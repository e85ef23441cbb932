from __future__ import annotations

import itertools
import json

import pytest
from msgspec.structs import replace

from ipc_lint import __version__
from ipc_lint.cli.check import FORMATS
from ipc_lint.model import Finding, Report, Span
from ipc_lint.report import RENDERERS, Context
from tests.report.sample import CONTEXT, DROPPED, REPORT, UNROUTABLE

TEXT = """\
srv/sched.py:4:19: IPC001 dropped-field [error] Req is built from recv_req without http_worker_ipc
  |
4 |             req = Req(recv_req.rid, recv_req.text)
  |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
 --> srv/loop.py:1:2: called with a request here
  |   self.handle(recv_req)
 --> gone.py:9:1: and here
  = help: pass http_worker_ipc=recv_req.http_worker_ipc
  = fix (safe): pass the address of recv_req
  = more: ipc-lint explain IPC001

srv/sched.py:6:9: IPC102 unroutable-send [warning] the output has no http_worker_ipc and answers no request
   |
 6 |         self.sender.send_output(
   |         ^^^^^^^^^^^^^^^^^^^^^^^^
 7 |             Abort(
 8 |                 recv_req.rid,
...
12 |         )
   |
   = help: say which request is answered, or broadcast
   = more: ipc-lint explain IPC102
"""

CONCISE = """\
srv/sched.py:4:19: IPC001 Req is built from recv_req without http_worker_ipc
srv/sched.py:6:9: IPC102 the output has no http_worker_ipc and answers no request
"""

JSON = """\
{
  "version": "VERSION",
  "files_checked": 3,
  "findings": [
    {
      "code": "IPC001",
      "name": "dropped-field",
      "severity": "error",
      "message": "Req is built from recv_req without http_worker_ipc",
      "path": "srv/sched.py",
      "line": 4,
      "column": 19,
      "end_line": 4,
      "end_column": 51,
      "symbol": "Scheduler.handle",
      "field": "http_worker_ipc",
      "carrier": "srv.types.Req",
      "origin": "recv_req",
      "fix": {
        "applicability": "safe",
        "message": "pass the address of recv_req",
        "edits": [
          {
            "line": 4,
            "column": 50,
            "end_line": 4,
            "end_column": 50,
            "content": ", http_worker_ipc=recv_req.http_worker_ipc"
          }
        ]
      },
      "related": [
        {
          "path": "srv/loop.py",
          "line": 1,
          "column": 2,
          "message": "called with a request here"
        },
        {
          "path": "gone.py",
          "line": 9,
          "column": 1,
          "message": "and here"
        }
      ],
      "fingerprint": "00ff",
      "explain": "ipc-lint explain IPC001",
      "suppressed": null
    },
    {
      "code": "IPC102",
      "name": "unroutable-send",
      "severity": "warning",
      "message": "the output has no http_worker_ipc and answers no request",
      "path": "srv/sched.py",
      "line": 6,
      "column": 9,
      "end_line": 12,
      "end_column": 10,
      "symbol": "Scheduler.handle",
      "field": "http_worker_ipc",
      "carrier": null,
      "origin": null,
      "fix": null,
      "related": [],
      "fingerprint": "11ee",
      "explain": "ipc-lint explain IPC102",
      "suppressed": null
    }
  ],
  "errors": [
    {
      "path": "a.py",
      "message": "no such file or directory"
    },
    {
      "path": "b.py",
      "message": "line 1: odd"
    }
  ]
}
"""


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("text", TEXT), ("concise", CONCISE), ("json", JSON.replace("VERSION", __version__))],
)
def test_the_whole_report(kind: str, expected: str) -> None:
    assert RENDERERS[kind](REPORT, CONTEXT) == expected


def test_the_command_line_offers_every_format() -> None:
    assert tuple(RENDERERS) == FORMATS


@pytest.mark.parametrize("kind", FORMATS)
def test_the_order_of_findings_does_not_depend_on_the_engine(kind: str) -> None:
    later = replace(DROPPED, code="IPC003")
    other = replace(DROPPED, path="a.py")
    reports = {
        RENDERERS[kind](Report(findings, (), 1), CONTEXT)
        for findings in itertools.permutations([DROPPED, UNROUTABLE, later, other])
    }
    assert len(reports) == 1


@pytest.mark.parametrize(("kind", "empty"), [(kind, "") for kind in ("text", "concise", "jsonl", "github")])
def test_nothing_found_is_nothing_said(kind: str, empty: str) -> None:
    assert RENDERERS[kind](Report((), (), 9), CONTEXT) == empty


def test_json_carries_any_text_in_ascii() -> None:
    odd = replace(DROPPED, path="caf\udce9/ü.py")
    out = RENDERERS["json"](Report((odd,), (), 1), CONTEXT)
    assert out.isascii()
    assert json.loads(out)["findings"][0]["path"] == "caf\udce9/ü.py"


def render(finding: Finding, *lines: str, colour: bool = False) -> list[str]:
    text = RENDERERS["text"](Report((finding,), (), 1), Context(lambda _: list(lines), colour=colour))
    return text.splitlines()


def at(span: Span) -> Finding:
    return replace(UNROUTABLE, span=span)


@pytest.mark.parametrize(
    ("line", "span", "shown", "carets"),
    [
        ("\tx = f(a)", Span(1, 6, 1, 10), "    x = f(a)", "        ^^^^"),
        ("x\t= f(a)", Span(1, 5, 1, 9), "x   = f(a)", "      ^^^^"),
        ("名 = f('名')", Span(1, 5, 1, 11), "名 = f('名')", "     ^^^^^^^"),
        ("e\u0301 = f(a)", Span(1, 6, 1, 10), "e\u0301 = f(a)", "    ^^^^"),
        ("'\x1b[2J\u202e', f()", Span(1, 10, 1, 13), "'\ufffd[2J\ufffd', f()", "         ^^^"),
        ("pass", Span(1, 5, 1, 5), "pass", "    ^"),
    ],
)
def test_carets_stand_under_what_is_meant(line: str, span: Span, shown: str, carets: str) -> None:
    rows = render(at(span), line)
    assert rows[2:4] == [f"1 | {shown}", f"  | {carets}"]


def test_five_lines_are_shown_whole_and_an_end_at_a_line_start_is_not_shown() -> None:
    lines = ["f(", " 1,", " 2,", " 3,", ")", "rest"]
    rows = render(at(Span(1, 1, 6, 1)), *lines)
    assert rows[2:9] == ["1 | f(", "  | ^^", "2 |  1,", "3 |  2,", "4 |  3,", "5 | )", "  |"]


def test_without_a_source_there_is_no_frame() -> None:
    header, help_, _ = render(at(Span(7, 1, 7, 2)), "only one line")
    assert header.startswith("srv/sched.py:7:1: IPC102")
    assert help_ == "  = help: say which request is answered, or broadcast"


def test_colour_tells_errors_from_warnings_and_changes_nothing_else() -> None:
    error = "\n".join(render(DROPPED, "x", colour=True))
    warning = "\n".join(render(UNROUTABLE, "x", colour=True))
    assert "\x1b[31;1mIPC001 dropped-field\x1b[0m [error]" in error
    assert "\x1b[33;1mIPC102 unroutable-send\x1b[0m [warning]" in warning
    for code in ("31;1", "33;1", "34;1", "36;1", "1", "0"):
        error = error.replace(f"\x1b[{code}m", "")
    assert error.splitlines() == render(DROPPED, "x")
