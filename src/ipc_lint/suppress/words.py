"""Which files may hold a comment that says anything of us, told from their bytes."""

from __future__ import annotations

import re

_OURS = b"ipc-lint"
_CODE = b"IPC"
# A file that holds none of these has no suppression that says anything of us.
WORDS = ("ipc-lint", "IPC")
_ANY_NOQA = re.compile(rb"(?i:noqa)")


def may_hold_suppressions(data: bytes) -> bool:
    """Whether the bytes of a file hold the words of a suppression that says anything of us."""
    if _OURS in data:
        return True
    # What stands before the word in its line is looked at, not every line: few hold the word.
    before, place = 0, data.find(_CODE)
    while place >= 0:
        line = data[max(before, data.rfind(b"\n", before, place) + 1) : place]
        if b"noqa" in line.rpartition(b"\r")[2].lower():
            return True
        before, place = place, data.find(_CODE, place + 1)
    return False


def may_silence(data: bytes) -> bool:
    """Whether the bytes of a file hold the words of a suppression that may silence a finding in it."""
    return _OURS in data or _ANY_NOQA.search(data) is not None
