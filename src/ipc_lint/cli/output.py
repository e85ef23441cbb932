"""Writing to the streams, and in which colours."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, AnyStr, TextIO

import click

from ipc_lint.cli.exits import INCOMPLETE

if TYPE_CHECKING:
    from ipc_lint.model import Report


class BrokenStream(click.ClickException):
    """What was to be read or written was refused by the system."""

    exit_code = INCOMPLETE


def show(text: str) -> None:
    """Write to stdout."""
    write(sys.stdout, text)


def say(text: str) -> None:
    """Write lines to stderr."""
    write(sys.stderr, text.rstrip("\n") + "\n")


def complain(error: click.ClickException) -> None:
    """Why nothing was done, each reason on a line that an editor can follow."""
    if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):  # click 8.2 and newer
        error.show()
        return
    for line in error.format_message().splitlines():
        say(f"ipc-lint: {line}")
    if isinstance(error, click.UsageError) and error.ctx is not None:
        say(f"Try `{error.ctx.command_path} --help`.")


def say_problems(report: Report) -> None:
    """Each path that could not be checked, on a line of its own."""
    for problem in report.problems:
        say(f"ipc-lint: {problem.path}: {problem.message}")


def show_bytes(data: bytes) -> None:
    """Bytes of files, whatever their encoding: a patch has to match them."""
    if sys.stdout is not None:
        sys.stdout.flush()
        write(sys.stdout.buffer, data)


@contextmanager
def output_file(path: str) -> Iterator[TextIO]:
    """A file for the report, in UTF-8; one that cannot be written is said, with its path."""
    try:
        with open(path, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            yield stream
    except OSError as error:
        raise BrokenStream(f"cannot write {path}: {error.strerror}") from None


def write(stream: IO[AnyStr] | None, data: AnyStr) -> None:
    """Write and flush. A reader that went away (``| head``) is no fault, and no reason to stop."""
    if stream is None:  # closed by whoever started us
        return
    try:
        stream.write(data)
        stream.flush()
    except OSError as error:
        # What is still buffered would fail once more when Python exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if not isinstance(error, BrokenPipeError):
            raise BrokenStream(f"cannot write the report: {error.strerror}") from None


def coloured(choice: str, stream: TextIO | None) -> bool:
    """Whether the choice of ``--color`` means colours on this stream."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
