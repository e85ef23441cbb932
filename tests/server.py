"""A small server with known faults, for tests of the command line."""

from __future__ import annotations

WIRE = """\
class Message:
    def __init__(self, rid, reply_to=None):
        self.rid = rid
        self.reply_to = reply_to


class Job(Message):
    pass
"""
MODEL = """\
from dataclasses import dataclass


@dataclass
class Message:
    rid: str | None = None
    reply_to: str | None = None


@dataclass
class Order(Message):
    text: str = ""


@dataclass
class Abort(Message):
    reason: str = ""


@dataclass
class Beat(Message):
    load: int = 0


class Job:
    def __init__(self, rid, text, reply_to=None):
        self.rid = rid
        self.text = text
        self.reply_to = reply_to
"""

SENDER = """\
from press.model import Message


class Sender:
    def __init__(self, socket):
        self.socket = socket

    def send(self, output: Message, origin=None):
        if isinstance(origin, Message) and output.reply_to is None:  # IPC201
            output.reply_to = origin.reply_to
        self.socket.send_pyobj(output)
"""

DESK = """\
from press.model import Abort, Beat, Job, Order
from press.sender import Sender


class Desk:
    def __init__(self, socket):
        self.sender = Sender(socket)
        self.jobs: list[Job] = []

    def admit(self, order: Order):
        self.jobs.append(Job(order.rid, order.text, order.reply_to))

    def refuse(self, order: Order):
        self.jobs.append(Job(order.rid, "refused"))  # IPC001

    def warm_up(self):
        self.jobs.append(Job("warm up", ""))

    def drop(self, job: Job):
        self.sender.send(Abort(rid=job.rid), job)

    def forget(self, order: Order):
        self.sender.send(Abort(rid=order.rid))  # IPC101

    def beat(self):
        self.sender.send(Beat(load=len(self.jobs)))  # IPC102

    def beat_back(self, address):
        self.sender.send(Beat(reply_to=address))

    def relay(self, output):
        self.sender.send(output)
"""

PLAIN = "def twice(x):\n    return x + x\n"

PRESS = {
    "press/__init__.py": "",
    "press/model.py": MODEL,
    "press/sender.py": SENDER,
    "press/desk.py": DESK,
    "press/plain.py": PLAIN,
}

# Whole in one file, with one fault, which bad neighbours must not hide.
ALONE = """\
class Order:
    def __init__(self, rid, reply_to=None):
        self.rid = rid
        self.reply_to = reply_to


class Job:
    def __init__(self, rid, reply_to=None):
        self.rid = rid
        self.reply_to = reply_to


def admit(order: Order, queue):
    queue.append(Job(order.rid))  # IPC001
"""
