"""Where the comments of a file stand, and which statement each of them is about."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ipc_lint.files.source import Source, Unreadable
from ipc_lint.suppress.comments import Directive, directives

_NEWLINE = re.compile(r"(?:\r\n|\r|\n)\Z")
_BETWEEN = (tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER)


class Statement(Struct, frozen=True):
    """The lines of a statement, or of the head of a compound one."""

    first: int
    last: int


class Comment(Struct, frozen=True):
    """A comment: its place (line from 1, column from 0), whether it is alone there, what it is about."""

    text: str
    line: int
    column: int
    alone: bool
    about: Statement | None

    @property
    def directives(self) -> list[Directive]:
        """What it says to us."""
        return list(directives(self.text))


class Layout(Struct, frozen=True):
    """The statements and comments of a file, each in order; ``taken`` are lines that can't take a comment."""

    statements: tuple[Statement, ...] = ()
    comments: tuple[Comment, ...] = ()
    taken: frozenset[int] = frozenset()

    def statement(self, line: int) -> Statement | None:
        """The statement that a line belongs to."""
        return next((s for s in self.statements if s.first <= line <= s.last), None)


def layout(source: Source) -> Layout:
    """The statements and comments of a file; none if it can't be read."""
    try:
        return _Reader(source.lines).read(_tokens(source))
    except (Unreadable, tokenize.TokenError, SyntaxError, UnicodeError):
        return Layout()


def _tokens(source: Source) -> Iterator[tokenize.TokenInfo]:
    # To the tokenizer of the library a lone carriage return ends no line.
    text = "".join(_NEWLINE.sub("\n", line) for line in source.lines)
    return tokenize.generate_tokens(io.StringIO(text, newline="\n").readline)


class _Reader:
    """Goes through the tokens once. A comment alone on its line is about the statement right below it."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._statements: list[Statement] = []
        self._comments: list[Comment] = []
        self._waiting: list[Comment] = []  # above a statement that has not begun
        self._inside: list[Comment] = []  # in the one that has
        self._first = 0  # its first line, 0 between two
        self._strings: list[int] = []  # where the f-strings around begin
        self._taken = {n for n, line in enumerate(lines, 1) if line.rstrip("\r\n").endswith("\\")}

    def read(self, tokens: Iterator[tokenize.TokenInfo]) -> Layout:
        """Sort everything into statements and comments."""
        for token in tokens:
            self._note_strings(token)
            if token.type == tokenize.COMMENT:
                self._comment(token.string, *token.start)
            elif token.type == tokenize.NEWLINE:
                self._end(token.start[0])
            elif token.type not in _BETWEEN and not self._first:
                self._drop_if_apart(token.start[0])
                self._first = token.start[0]
        self._drop()
        comments = sorted(self._comments, key=lambda comment: (comment.line, comment.column))
        return Layout(tuple(self._statements), tuple(comments), frozenset(self._taken))

    def _note_strings(self, token: tokenize.TokenInfo) -> None:
        """The lines that end inside a string; from Python 3.12 on an f-string is several tokens."""
        begin, end = token.start[0], token.end[0]
        kind = tokenize.tok_name[token.type]
        if kind.endswith("STRING_START"):
            self._strings.append(begin)
        elif kind.endswith("STRING_END") and self._strings:
            begin = self._strings.pop()
        if kind.endswith(("STRING", "STRING_END")):
            self._taken.update(range(begin, end))

    def _comment(self, text: str, line: int, column: int) -> None:
        alone = not self._lines[line - 1][:column].strip()
        comment = Comment(text, line, column, alone, None)
        if self._first:
            self._inside.append(comment)
        else:
            self._drop_if_apart(line)
            self._waiting.append(comment)

    def _end(self, line: int) -> None:
        if self._first:
            statement = Statement(self._first, line)
            self._statements.append(statement)
            self._comments += [replace(c, about=statement) for c in (*self._waiting, *self._inside)]
            self._waiting, self._inside, self._first = [], [], 0

    def _drop_if_apart(self, line: int) -> None:
        """A comment with a gap below it is about nothing."""
        if self._waiting and self._waiting[-1].line != line - 1:
            self._drop()

    def _drop(self) -> None:
        self._comments += self._waiting
        self._waiting = []
