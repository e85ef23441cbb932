"""The fix of a gate: only where what is written to gets through the moved test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fix.fixing import fixes
from tests.trees import write

SERVER = """\
class Message:
    rid: str | None = None
    reply_to: str | None = None


class Request(Message):
    pass


class Abort(Message):
    pass


class Answer(Message):
    pass


class Late(Request):
    pass


class Sender:
    def send(self, output{annotation}, origin=None):
        if isinstance(origin, {gate}) and output.reply_to is None:
            output.reply_to = origin.reply_to
        self.socket.send_pyobj(output)


class Job:
    def __init__(self, rid, reply_to=None):
        self.rid = rid
        self.reply_to = reply_to


class Server:
    def __init__(self):
        self.sender = Sender()

    def finish(self, request: Request):
        self.sender.send({output}(rid=request.rid), request)

    def abort(self, abort: Abort):
        self.sender.send({output}(rid=abort.rid), abort)

    def end(self, job: Job):
        self.sender.send({output}(rid=job.rid), job)
"""


@pytest.mark.parametrize(
    ("annotation", "gate", "output", "moved"),
    [
        (": Message", "Message", "Answer", True),
        ("", "Message", "Answer", True),
        ("", "Request", "Late", True),
        (": Late", "Request", "Late", True),
        (": Message", "Request", "Answer", False),
        (": Message", "Request", "Late", False),
        ("", "Request", "Answer", False),
        ("", "(Request, Abort)", "Answer", False),
        ("", "(Request, Answer)", "Answer", True),
    ],
)
def test_a_test_moves_to_what_is_written_to_if_that_passes_it(
    annotation: str, gate: str, output: str, moved: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"s.py": SERVER.format(annotation=annotation, gate=gate, output=output)})
    fixed = fixes(unsafe=True)
    assert [finding.code for finding in fixed.report.findings] == ([] if moved else ["IPC201"])
    assert bool(fixed.contents) is moved
