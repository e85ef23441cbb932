"""Files that never name the field are found by what they use, however they spell it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ipc_lint.uses import is_used, uses
from tests.project import found
from tests.server import WIRE
from tests.trees import write

USES = {
    "its name": ("from server.wire import Job", "Job(message.rid)"),
    "its name from here": ("from .wire import Job", "Job(message.rid)"),
    "its name from far apart": ("from\t. \\\n  wire import Job", "Job(message.rid)"),
    "its name from its package": ("from server import Job", "Job(message.rid)"),
    "another name": ("from server.wire import Job as Task", "Task(message.rid)"),
    "a list of names": ("from server.wire import (\n    Job,\n    Message,\n)", "Job(message.rid)"),
    "a list with notes": ("from server.wire import (  # (one)\n    Job  # two\n)", "Job(message.rid)"),
    "a name given later": ("from server.wire import Job\n\nTask = Job", "Task(message.rid)"),
    "everything": ("from server.wire import *", "Job(message.rid)"),
    "a second statement": ("import os; from server.wire import Job", "Job(message.rid)"),
    "the module": ("import server.wire", "server.wire.Job(message.rid)"),
    "the module by another name": ("import server.wire as w", "w.Job(message.rid)"),
    "the module from its package": ("from server import wire", "wire.Job(message.rid)"),
    "the module from a list": ("from server import (\n    other,\n    wire,\n)", "wire.Job(message.rid)"),
    "the module in a line that goes on": ("from server import \\\n    wire", "wire.Job(message.rid)"),
    "the module in an import that goes on": ("import os, \\\n  server.wire", "server.wire.Job(message.rid)"),
    "a space before the dot": ("from server import wire", "wire . Job(message.rid)"),
    "the module, called in the next line": ("from server import wire", "(wire.Job\n        (message.rid))"),
    "the class of the module": ("from server import wire\n\nTask = wire.Job", "Task(message.rid)"),
    "the class of the module, and a note": ("from server import wire\n\nT = wire.Job  # x", "T(message.rid)"),
    "in parentheses": ("from server.wire import Job", "(Job)(message.rid)"),
    "called in the next line": ("from server.wire import Job", "Job\\\n        (message.rid)"),
    "one of two": ("from server.wire import Job, Message", "(Job if queue else Message)(message.rid)"),
    "or another": ("from server.wire import Job, Message", "(Job or Message)(message.rid)"),
    "a partial": ("from functools import partial\nfrom server.wire import Job", "partial(Job)(message.rid)"),
    "a table": ("from server.wire import Job\n\nTABLE = {'job': Job}", "TABLE['job'](message.rid)"),
    "a long table": (
        "from server.wire import Job\n\nTABLE = {\n" + "    'no': 'more',\n" * 200 + "    'job': Job}",
        "TABLE['job'](message.rid)",
    ),
    "an argument": (
        "from server.wire import Job\n\n\ndef make(kind, message):\n    return kind(message.rid)",
        "make(Job, message)",
    ),
    "a default": (
        "from server.wire import Job\n\n\ndef make(message, kind=Job):\n    return kind(message.rid)",
        "make(message)",
    ),
    "a type": (
        "from server.wire import Job\n\n\ndef make(message, kind: type[Job]):\n    return kind(message.rid)",
        "make(message, queue.kind)",
    ),
    "a type in quotes": (
        "from server.wire import Job\n\n\ndef make(m, kind: 'type[Job]'):\n    return kind(m.rid)",
        "make(message, queue.kind)",
    ),
    "a lambda": ("from server.wire import Job\n\nmake = lambda m: Job(m.rid)", "Job(message.rid)"),
    "a base": ("from server.wire import Job\n\n\nclass Mine(Job):\n    pass", "Mine(message.rid)"),
    "beside a string with a mark": ("from server.wire import Job", "('#', Job(message.rid))"),
    "in an f-string": ("from server.wire import Job", "f'{Job(message.rid)}'"),
    "from dots alone": ("from . import Job", "Job(message.rid)"),
    "from a dot without a space": ("from.wire import Job", "Job(message.rid)"),
    "below a note": ("from server.wire import Job", "\n        # No more.\n        Job(message.rid)\n    "),
    "the module below a note": (
        "from server import wire",
        "\n    # No more.\n    wire.Job(message.rid)\n    ",
    ),
    "an argument below a note": (
        "from functools import partial\nfrom server.wire import Job\n\nmake = partial(\n  # It.\n  Job\n)",
        "make(message.rid)",
    ),
    "a base behind a note with a bracket": (
        "from server.wire import Job\n\n\nclass Mine(  # :)\n    Job\n):\n    pass",
        "Mine(message.rid)",
    ),
    "far to the right": ("from server.wire import Job", "(" + "'#000000', " * 120 + "Job(message.rid))"),
    "behind the end of a text": (
        "from server.wire import Job",
        '("""\n# Title\n#""", Job(message.rid))',
    ),
    "a class behind the end of a text": (
        'from server.wire import Job\n\nTABLE = [("""a\n    b""", Job)]',
        "TABLE[0][1](message.rid)",
    ),
    "a list behind a word": ("from server.wire import Job\n\nKINDS = None or [Job]", "KINDS[0](message.rid)"),
    "a class of the module in a list behind a word": (
        "import server.wire\n\nKINDS = None or [server.wire.Job]",
        "KINDS[0](message.rid)",
    ),
    "a type of several": (
        "from typing import Type, Union\nfrom server.wire import Job, Message\n\n\n"
        "def make(m, kind: Type[Union[Job, Message]]):\n    return kind(m.rid)",
        "make(message, queue.kind)",
    ),
}
IDLE = {
    "an annotation": "def answer(job: Job, more: list[Job]) -> Job: ...",
    "an annotation in quotes": "def answer(job: 'Job', more: 'list[Job]') -> 'Job': ...",
    "an annotation in a body": "def answer():\n    job: Job | None = None",
    "a test": "def answer(job):\n    return isinstance(job, Job)",
    "a test of several": "def answer(job):\n    if isinstance(job, (int, Job)): pass",
    "a note": "# Job(1)",
    "a text": "TEXT = 'Job'",
    "a docstring": 'def answer():\n    """Takes no Job from here."""',
    "a longer name": "def answer(job):\n    return MyJob(job) or Jobs(job) or self.Job(job)",
}


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("use", USES)
def test_a_carrier_is_found_where_only_an_import_leads(use: str, ends: str, tmp_path: Path) -> None:
    imports, call = USES[use]
    module = f"{imports}\n\n\ndef answer(message, queue):\n    queue.put({call})\n"
    init = "from server.wire import Job\n"
    files = {
        "server/__init__.py": init,
        "server/other.py": "",
        "server/wire.py": WIRE,
        "server/use.py": module,
    }
    write(tmp_path, {path: text.replace("\n", ends) for path, text in files.items()})
    assert [spot.code for spot in found(str(tmp_path))] == ["IPC001"]


@pytest.mark.parametrize("idle", IDLE)
def test_a_file_that_makes_nothing_is_not_parsed(idle: str) -> None:
    data = f"from server.wire import Job\n\n\n{IDLE[idle]}\n".encode()
    assert not uses("use.py", data, b"wire", {b"Job"}, lambda dotted, level: dotted == "server.wire")


@pytest.mark.parametrize(
    "text",
    [
        "from server.from_work.wire import Job\nJob(1)",
        "from server.from_work.wire import Job\n\n\nclass Mine[T](Job): ...",
        "from server.from_work.wire import Job\nmake('a')(Job)",
        "import server.from_work.wire\nkind = get().wire.Job",
        "import server.from_work.wire\nkind = found[0].wire.Job",
        "from server.from_work.wire import Job\n\n\ndef kinds():\n    yield from Job",
    ],
)
def test_what_is_before_a_name_or_in_one_hides_no_use(text: str) -> None:
    assert uses("x.py", text.encode(), b"wire", {b"Job"}, lambda dotted, _: dotted == "server.from_work.wire")


# But for what makes a text or a list of names of all that follows.
ODD = "Job wire from import . .. ) [ ] { } , : = * return lambda def class isinstance as x é".split()


@given(st.lists(st.sampled_from([*ODD, *" \n\r\t"])).map("".join))
def test_a_use_is_found_behind_any_text(text: str) -> None:
    data = f"{text}\nimport wire\nwire.Job(1)\n".encode()
    assert uses("x.py", data, b"wire", {b"Job"}, lambda dotted, level: False)
    assert is_used(data, b"Job")


@pytest.mark.parametrize(
    "text", ["wire ", "Job ", "Job.", "a.", "(", "from wire import (", "from wire import (a, "]
)
def test_what_is_too_much_to_be_looked_through_is_used(text: str) -> None:
    data = (text * 10_000).encode() + b"\nimport wire\nwire.Job(1)\n"
    assert uses("x.py", data, b"wire", {b"Job"}, lambda dotted, level: False)
