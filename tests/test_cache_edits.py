"""Whatever is edited, in whatever order: with a cache the findings are those without."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ipc_lint.engine import check
from ipc_lint.files import contents
from ipc_lint.model import Report
from ipc_lint.settings import Settings
from tests.server import WIRE
from tests.trees import write

BARE = Settings(fields=("reply_to",), preset=None)
DESK = """\
from wire import Job, Message


def admit(message: Message, queue):
    queue.append(Job(message.rid))
"""
# No two of a file are of the same length: what counts is seen from outside, too.
VERSIONS: dict[str, list[str | None]] = {
    "wire.py": [WIRE, WIRE.replace("Job(Message)", "Job"), WIRE + "\n\nclass Other:\n    pass\n", None],
    "desk.py": [
        DESK,
        DESK.replace("message.rid", "message.rid, message.reply_to"),
        DESK.replace(")\n", ")  # ipc-lint: ignore[IPC001]\n"),
        "def (\n",
        None,
    ],
    "far.py": [
        "import wire\n\n\ndef copy(x: wire.Message, q):\n    q.put(wire.Job(x.rid))\n",
        "def greet():\n    return 'good day'\n",
        "def greet():\n    return 'reply_to'\n",
        "x = 1  # ipc-lint: ignore[IPC001]\n",
        None,
    ],
}
EDIT = st.sampled_from([(name, text) for name, texts in VERSIONS.items() for text in texts])
ASKED = st.sampled_from([["."], ["desk.py"], ["far.py", "desk.py"]])


def said(report: Report) -> tuple[object, ...]:
    return report.findings, report.problems, report.unknown_fields, report.suppressed, report.files_checked


@pytest.mark.parametrize("settled", [contents._SETTLED, -(10**18)], ids=["just now", "long ago"])
@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(EDIT, ASKED), min_size=1, max_size=8))
def test_a_cache_changes_nothing(settled: int, edits: list[tuple[tuple[str, str | None], list[str]]]) -> None:
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        root = write(Path(name) / "project", {file: texts[0] or "" for file, texts in VERSIONS.items()})
        (root / ".git").mkdir()
        patch.chdir(root)
        patch.setattr(contents, "_SETTLED", settled)
        cached = replace(BARE, cache=str(Path(name) / "cache"))
        assert said(check(["."], cached)) == said(check(["."], BARE))
        for (file, text), asked in edits:
            if text is None:
                (root / file).unlink(missing_ok=True)
            else:
                write(root, {file: text})
            assert said(check(asked, cached)) == said(check(asked, BARE))
