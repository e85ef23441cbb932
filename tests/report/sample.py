"""One report by hand, with everything in it, and the sources that it speaks of."""

from __future__ import annotations

from ipc_lint.model import Edit, Finding, Fix, Problem, Related, Report, RuleDoc, Span
from ipc_lint.report import Context

SOURCES = {
    "srv/sched.py": [
        "class Scheduler:",
        "    def handle(self, recv_req):",
        "        if not recv_req.session:",
        "            req = Req(recv_req.rid, recv_req.text)",
        "            self.queue.append(req)",
        "        self.sender.send_output(",
        "            Abort(",
        "                recv_req.rid,",
        "                reason=1,",
        "                code=2,",
        "            )",
        "        )",
    ],
    "srv/loop.py": ["\tself.handle(recv_req)"],
}

DROPPED = Finding(
    code="IPC001",
    name="dropped-field",
    severity="error",
    message="Req is built from recv_req without http_worker_ipc",
    help="pass http_worker_ipc=recv_req.http_worker_ipc",
    path="srv/sched.py",
    span=Span(4, 19, 4, 51),
    symbol="Scheduler.handle",
    field="http_worker_ipc",
    carrier="srv.types.Req",
    origin="recv_req",
    fingerprint="00ff",
    related=(
        Related("srv/loop.py", 1, 2, "called with a request here"),
        Related("gone.py", 9, 1, "and here"),
    ),
    fix=Fix(
        "pass the address of recv_req",
        "safe",
        (Edit(Span(4, 50, 4, 50), ", http_worker_ipc=recv_req.http_worker_ipc"),),
    ),
)

UNROUTABLE = Finding(
    code="IPC102",
    name="unroutable-send",
    severity="warning",
    message="the output has no http_worker_ipc and answers no request",
    help="say which request is answered, or broadcast",
    path="srv/sched.py",
    span=Span(6, 9, 12, 10),
    symbol="Scheduler.handle",
    field="http_worker_ipc",
    carrier=None,
    origin=None,
    fingerprint="11ee",
)

REPORT = Report(
    findings=(UNROUTABLE, DROPPED),  # out of order: the renderers sort
    problems=(Problem("b.py", "line 1: odd"), Problem("a.py", "no such file or directory")),
    files_checked=3,
)


DOCS = (
    RuleDoc(
        "IPC001",
        "dropped-field",
        "error",
        "It drops.",
        "It drops.\n\n## Why?",
        "safe",
        "https://example.com/1",
    ),
    RuleDoc("IPC102", "unroutable-send", "warning", "It is lost.", "It is lost.", None, None),
)


def sources(path: str) -> list[str]:
    return SOURCES.get(path, [])


CONTEXT = Context(sources, lambda: DOCS)
