"""One file's bytes, text and positions: the only module that knows encodings and offsets."""

from __future__ import annotations

import ast
import bisect
import re
import warnings
from functools import cached_property
from itertools import accumulate

from ipc_lint.model import Span

_BOM = b"\xef\xbb\xbf"
# What the tokenizer takes for a line; str.splitlines also breaks at form feeds, U+2028 and others.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_OTHER_BREAKS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_LINE_BYTES = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_NEWLINE_BYTES = re.compile(rb"\r\n|\r|\n")


class Unreadable(Exception):
    """A file that cannot be checked; ``message`` says why in one line."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Source:
    """One file. Byte columns and offsets count the UTF-8 of ``text``, as ast and libcst do."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data

    @classmethod
    def read(cls, path: str) -> Source:
        """The source at ``path``; Unreadable if the system refuses."""
        try:
            with open(path, "rb") as file:
                return cls(path, file.read())
        except OSError as error:
            raise Unreadable(f"cannot be read: {error.strerror or error}") from None

    @cached_property
    def text(self) -> str:
        """The decoded text without BOM, newlines as in the file; Unreadable if there is none."""
        return decode(self.data)

    def encode(self, text: str) -> bytes:
        """Another text as bytes of this file: its encoding, and its BOM if it has one."""
        bom = _BOM if self.data.startswith(_BOM) else b""
        return bom + text.encode(_encoding(self.data))

    @cached_property
    def lines(self) -> list[str]:
        """The lines with their newlines, split where the Python tokenizer splits."""
        text = self.text
        if any(character in text for character in _OTHER_BREAKS):
            return _LINE.findall(text)
        return text.splitlines(keepends=True)

    def parse(self) -> ast.Module:
        """The syntax tree; Unreadable, with place and reason, if there is none."""
        text = self.text
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # an odd escape in the code is not our business
                return ast.parse(text)
        except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as error:
            from ipc_lint.files.syntax import why  # loads libcst: only for a file that is broken

            raise Unreadable(why(error, text)) from None

    def column(self, line: int, byte_column: int) -> int:
        """The 1-based code-point column of an ast position (line from 1, byte column from 0)."""
        text = self._line(line)
        if text.isascii():
            return byte_column + 1
        return len(_utf8(text)[:byte_column].decode("utf-8", "replace")) + 1

    def span(self, line: int, byte_column: int, end_line: int, end_byte_column: int) -> Span:
        """The span between two ast positions."""
        return Span(line, self.column(line, byte_column), end_line, self.column(end_line, end_byte_column))

    def offset(self, line: int, byte_column: int) -> int:
        """The UTF-8 offset in ``text`` of an ast position."""
        return self._starts[line - 1] + byte_column

    def span_at(self, start: int, end: int) -> Span:
        """The span between two UTF-8 offsets in ``text``."""
        return self.span(*self._position(start), *self._position(end))

    def _position(self, offset: int) -> tuple[int, int]:
        starts = self._starts
        line = bisect.bisect_right(starts, offset)
        if line > len(self.lines) and self.lines and not self.lines[-1].endswith(("\n", "\r")):
            line -= 1  # the end of a last line that no newline ends
        return line, offset - starts[line - 1]

    @cached_property
    def _starts(self) -> list[int]:
        sizes = (len(line) if line.isascii() else len(_utf8(line)) for line in self.lines)
        return [0, *accumulate(sizes)]

    def _line(self, number: int) -> str:
        lines = self.lines
        return lines[number - 1] if 0 < number <= len(lines) else ""


def decode(data: bytes) -> str:
    """The text of Python source bytes by BOM and PEP 263 cookie; Unreadable if it cannot be."""
    if b"\0" in data:
        line = _line_of(data, data.index(b"\0"))
        raise Unreadable(f"line {line}: a NUL byte: this is not Python source text")
    encoding = _encoding(data)
    body = data.removeprefix(_BOM)
    try:
        return body.decode(encoding)
    except UnicodeDecodeError as error:
        line = _line_of(body, error.start)
        raise Unreadable(f"line {line}: byte 0x{body[error.start]:02x} is not valid {encoding}") from None
    except (LookupError, ValueError, AssertionError):  # codecs that make no text, such as hex or zlib
        raise Unreadable(f"{encoding} is not an encoding of text") from None


def _encoding(data: bytes) -> str:
    head = [match.group() for _, match in zip(range(2), _LINE_BYTES.finditer(data), strict=False)]
    if b"coding" not in b"".join(head):
        return "utf-8"
    import tokenize

    # The tokenizer of CPython sees newlines already translated: a cookie may follow a lone CR.
    lines = iter([re.sub(rb"\r\n?\Z", b"\n", line) for line in head])
    try:
        encoding, _ = tokenize.detect_encoding(lambda: next(lines))
    except SyntaxError as error:
        raise Unreadable(str(error)) from None
    return encoding.removesuffix("-sig")


def _line_of(data: bytes, offset: int) -> int:
    return len(_NEWLINE_BYTES.findall(data, 0, offset)) + 1


def _utf8(text: str) -> bytes:
    # utf-7 and its like can decode to lone surrogates.
    return text.encode("utf-8", "surrogatepass")
