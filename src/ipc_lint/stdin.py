"""Standard input as a file that is checked in place of what is on disk."""

from __future__ import annotations

import errno
import os
import sys

from msgspec import Struct


class Given(Struct, frozen=True):
    """What standard input holds, and the file that it is taken for."""

    path: str
    data: bytes

    @property
    def contents(self) -> dict[str, bytes]:
        """The data by absolute path; a link and what it leads to are one file."""
        return {os.path.realpath(self.path): self.data, self.path: self.data}


def read(name: str) -> Given:
    """Everything on standard input, byte for byte, as the file ``name``; OSError if the system refuses."""
    if sys.stdin is None:  # closed by whoever started us
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    return Given(os.path.abspath(name), sys.stdin.buffer.read())
