"""What a finding says besides where it is: grade, subject, and the words of its message."""

from __future__ import annotations

from pathlib import Path

import pytest

from ipc_lint.engine import check
from ipc_lint.model import Finding
from tests.project import settings
from tests.trees import write

REBUILT = """\
from dataclasses import dataclass


@dataclass
class Base:
    rid: str | None = None
    reply_to: str | None = None


@dataclass
class Image(Base):
    width: int = 0
    height: int = 0
    codec: str = ""
    quality: int = 0
    palette: str = ""


class Front:
    def __init__(self, socket, address):
        self.socket = socket
        self.address = address
        self.pending: list[Base] = []

    def dispatch(self, message: Base):
        message.reply_to = self.address
        self.socket.send_pyobj(message)

    def again(self, image: Image):
        self.pending.append(
            Image(
                rid=image.rid,
                width=image.width,
                height=image.height,
                codec=image.codec,
                quality=image.quality,
                palette=image.palette,
            )
        )

    def flush(self):
        for message in self.pending:
            self.dispatch(message)
"""


@pytest.fixture
def rebuilt(tmp_path: Path) -> Finding:
    write(tmp_path, {"front.py": REBUILT})
    (finding,) = check([str(tmp_path)], settings()).findings
    return finding


def test_a_rebuilt_message_is_a_warning_because_a_stamper_may_still_mend_it(rebuilt: Finding) -> None:
    assert (rebuilt.code, rebuilt.severity) == ("IPC001", "warning")


def test_a_rebuilt_message_names_the_later_stamper(rebuilt: Finding) -> None:
    assert "`Front.dispatch`" in rebuilt.message
