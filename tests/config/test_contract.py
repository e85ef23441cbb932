"""What a config says of the contract: carriers, stampers, senders, and what to leave alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.project import json_of, run
from tests.trees import write

MODEL = """\
class Order:
    def __init__(self, rid, reply_to=None):
        self.rid = rid
        self.reply_to = reply_to


class Job:
    def __init__(self, rid, reply_to=None):
        self.rid = rid
        self.reply_to = reply_to


class Plain:
    def __init__(self, rid, **more):
        self.rid = rid
        self.__dict__.update(more)
"""
DESK = """\
from model import Job, Order, Plain
from wire import mark, push


def stamped(order: Order):
    job = Job(order.rid)
    mark(job)
    return [job]


def sent(order: Order):
    push(order.address, Job(order.rid))


def plain(order: Order, queue):
    queue.append(Plain(order.rid))


def main(order: Order, queue):
    queue.append(stamped(order))
"""
WIRE = """\
import outside


def mark(job):
    outside.mark(job)


def push(address, job):
    outside.push(address, job)
"""


def symbols(config: str, tmp_path: Path) -> list[str]:
    """The functions with findings."""
    toml = f'fields = ["reply_to"]\n{config}\n'
    write(tmp_path, {"ipc-lint.toml": toml, "model.py": MODEL, "desk.py": DESK, "wire.py": WIRE})
    report = json_of(run("check", "--output-format", "json", cwd=tmp_path))
    assert report["errors"] == []
    return [finding["symbol"] for finding in report["findings"]]


@pytest.mark.parametrize(
    ("config", "found"),
    [
        ("", ["stamped", "sent"]),
        ('stampers = ["wire.mark"]', ["sent"]),
        ('stampers = ["wire.mark(job)"]', ["sent"]),
        ('addressed-senders = ["wire.push"]', ["stamped"]),
        ('carriers = ["model.Plain"]', ["stamped", "sent", "plain"]),
        ('ignore-functions = ["desk.s*"]', []),
        ('stampers = ["wire.mark"]\naddressed-senders = ["wire.push"]', []),
    ],
)
def test_the_contract_is_extended(config: str, found: list[str], tmp_path: Path) -> None:
    assert symbols(config, tmp_path) == found


def test_a_sender_has_its_origin_by_name(tmp_path: Path) -> None:
    wire = "import outside\n\n\ndef push(message, request=None):\n    outside.push(message, request)\n"
    desk = (
        "from model import Job, Order\nfrom wire import push\n\n\n"
        "def good(order: Order):\n    push(Job(None), order)\n\n\n"
        "def bad(order: Order):\n    push(Job(None))\n"
    )
    toml = 'fields = ["reply_to"]\nsenders = ["wire.push(message, request)"]\n'
    write(tmp_path, {"ipc-lint.toml": toml, "model.py": MODEL, "desk.py": desk, "wire.py": wire})
    (finding,) = json_of(run("check", "--output-format", "json", cwd=tmp_path))["findings"]
    assert (finding["symbol"], finding["code"]) == ("bad", "IPC101")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ('carriers = ["model.Nothing"]', "`carriers`: no class model.Nothing in this project"),
        ('senders = ["wire.nothing"]', "`senders`: no function wire.nothing in this project"),
        ('stampers = ["wire.mark(nothing)"]', "`stampers`: wire.mark has no parameter nothing"),
        ('addressed-senders = ["x.push"]', "`addressed-senders`: no function x.push in this project"),
    ],
)
def test_a_name_that_nothing_has_is_said(config: str, message: str, tmp_path: Path) -> None:
    write(
        tmp_path, {"ipc-lint.toml": f'fields = ["reply_to"]\n{config}\n', "model.py": MODEL, "wire.py": WIRE}
    )
    done = run("check", cwd=tmp_path)
    assert done.returncode == 2
    assert f"ipc-lint: ipc-lint.toml: {message}\n" in done.stderr
