"""Files that never name the field are found by what they use, however they spell it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.project import found
from tests.server import WIRE
from tests.trees import write

USES = {
    "its name": ("from server.wire import Job", "Job(message.rid)"),
    "its name from here": ("from .wire import Job", "Job(message.rid)"),
    "another name": ("from server.wire import Job as Task", "Task(message.rid)"),
    "a list of names": ("from server.wire import (\n    Job,\n    Message,\n)", "Job(message.rid)"),
    "a name given later": ("from server.wire import Job\n\nTask = Job", "Task(message.rid)"),
    "everything": ("from server.wire import *", "Job(message.rid)"),
    "the module": ("import server.wire", "server.wire.Job(message.rid)"),
    "the module by another name": ("import server.wire as w", "w.Job(message.rid)"),
    "the module from its package": ("from server import wire", "wire.Job(message.rid)"),
    "the module from a list": ("from server import (\n    other,\n    wire,\n)", "wire.Job(message.rid)"),
    "the module from a list with notes": (
        "from server import (  # (one)\n    wire,  # two\n)",
        "wire.Job(message.rid)",
    ),
    "the module in a line that goes on": ("from server import \\\n    wire", "wire.Job(message.rid)"),
    "the module in an import that goes on": (
        "import os, \\\n    server.wire",
        "server.wire.Job(message.rid)",
    ),
    "a space before the dot": ("from server import wire", "wire . Job(message.rid)"),
    "the module, called in the next line": ("from server import wire", "(wire.Job\n        (message.rid))"),
    "the class of the module": ("from server import wire\n\nTask = wire.Job", "Task(message.rid)"),
}


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("use", USES)
def test_a_carrier_is_found_where_only_an_import_leads(use: str, ends: str, tmp_path: Path) -> None:
    imports, call = USES[use]
    module = f"{imports}\n\n\ndef answer(message, queue):\n    queue.put({call})\n"
    files = {"server/__init__.py": "", "server/other.py": "", "server/wire.py": WIRE, "server/use.py": module}
    write(tmp_path, {path: text.replace("\n", ends) for path, text in files.items()})
    assert [spot.code for spot in found(str(tmp_path))] == ["IPC001"]
