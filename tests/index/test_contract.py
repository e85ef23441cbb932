"""What the project says about a field, inferred from its name alone."""

from __future__ import annotations

import pytest

from tests.index.memory import contract

WIRE = """\
from dataclasses import dataclass
@dataclass
class Message:
    rid: str = ""
    reply_to: str = ""
@dataclass
class Batch:
    rids: list
    reply_tos: list
class Note(Message): pass
class Job:
    def __init__(self, rid, text, reply_to=None):
        self.reply_to = reply_to
class Other:
    rid: str
"""
SENDER = """\
from wire import Message
class Sender:
    def send(self, output: Message, origin=None):
        if isinstance(output, Message):
            output.reply_to = getattr(origin, "reply_to", None)
        self.socket.send(output)
"""


def test_carriers_messages_and_identity() -> None:
    found = contract({"wire.py": WIRE, "sender.py": SENDER})
    assert {carrier.cls.short for carrier in found.carriers.values()} == {"Message", "Batch", "Note", "Job"}
    assert {cls.short for cls in found.carriers if found.is_message(cls)} == {"Message", "Note"}
    assert found.identities == {"rid", "rids"}


def test_a_sender_by_its_roles() -> None:
    found = contract({"wire.py": WIRE, "sender.py": SENDER})
    (sender,) = found.senders.values()
    assert (sender.name, sender.output, sender.origin) == ("Sender.send", "output", "origin")
    assert [(gate.subject, gate.positive) for stamp in sender.stamps for gate in stamp.gates] == [
        ("output", True)
    ]


@pytest.mark.parametrize(
    ("body", "role"),
    [
        ("self.sender.send(out, of)", ("out", "of")),
        ("self.sender.send(origin=of, output=out)", ("out", "of")),
        ("self.sender.send(out)", ("out", None)),
        ("self.sender.send(out, self.kept)", None),
        ("self.sender.send(self.kept, of)", None),
        ("print(out, of)", None),
    ],
)
def test_a_helper_that_hands_on_is_a_sender_too(body: str, role: tuple[str, str | None] | None) -> None:
    text = f"""\
from sender import Sender
class Server:
    def __init__(self):
        self.sender = Sender()
    def helper(self, out, of):
        {body}
"""
    found = contract({"wire.py": WIRE, "sender.py": SENDER, "server.py": text})
    helpers = [(s.output, s.origin) for f, s in found.senders.items() if f.name == "helper"]
    assert helpers == ([] if role is None else [role])


@pytest.mark.parametrize(
    ("body", "origin"),
    [
        ("out.reply_to = of.reply_to", "of"),
        ("setattr(out, 'reply_to', of.reply_to)", "of"),
        ("address = of.reply_to; out.reply_to = address", "of"),
        ("out.reply_to = out.reply_to or of.reply_to", "of"),
        ("out.reply_to = of", None),
        ("for one in out: one.reply_to = of.reply_to", "of"),
    ],
)
def test_a_stamper_and_where_its_value_comes_from(body: str, origin: str | None) -> None:
    found = contract({"wire.py": WIRE, "stamp.py": f"def stamp(out, of):\n    {body}\n"})
    (stamper,) = found.stampers.values()
    assert (stamper.output, stamper.origin) == ("out", origin)


def test_without_the_field_there_is_nothing() -> None:
    found = contract({"wire.py": WIRE}, field="nothing_of_the_kind")
    assert (found.carriers, found.stampers, found.senders) == ({}, {}, {})
