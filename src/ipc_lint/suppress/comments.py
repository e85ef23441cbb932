"""What a comment says: ``# ipc-lint: ignore[IPC001] reason``, ``# noqa: IPC001``.

A comment may hold several of these beside other words for other tools, each from a ``#`` to the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ipc_lint.codes import PREFIX, codes_of

# A `#` that begins something, and not the one in "see #12".
_BEGIN = re.compile(r"(?:^|(?<=\s))#(?=\s|[^\W\d])")
_OURS = re.compile(r"#\s*ipc-lint\s*:\s*")
_IGNORE = re.compile(r"ignore(?![\w-])\s*(?P<list>\[(?P<words>[^\]]*)\])?(?P<rest>.*)", re.DOTALL)
_NOQA = re.compile(r"#\s*noqa(?![\w-])(?P<colon>\s*:)?\s*", re.IGNORECASE)
_LISTED = re.compile(r"[^\s,]+")
# Codes of any tool; and what was meant to be one of ours.
_CODE = re.compile(r"[A-Z]+[0-9]+(?!\w)|IPC[A-Z0-9]*[0-9][A-Z0-9]*(?!\w)")
_BETWEEN = re.compile(r"\s*[,\s]\s*")


class Word(Struct, frozen=True):
    """One of the words of a list and where it stands in its comment."""

    text: str
    start: int
    end: int

    @property
    def codes(self) -> frozenset[str]:
        """The rules that it stands for."""
        return codes_of(self.text)


class Directive(Struct, frozen=True):
    """A part of a comment that silences something, or was meant to.

    ``start`` and ``end`` are places in the comment. ``words`` are all that is listed, also the codes of
    other tools; a directive without any list is for everything (``bare``). ``wrong`` says why one is
    not understood.
    """

    text: str
    start: int
    end: int
    words: tuple[Word, ...] = ()
    bare: bool = False
    noqa: bool = False
    wrong: str = ""

    @property
    def mine(self) -> tuple[Word, ...]:
        """The words that are about us."""
        return tuple(word for word in self.words if not self.noqa or word.text.startswith(PREFIX))

    @property
    def unknown(self) -> tuple[Word, ...]:
        """Those that name no rule."""
        return tuple(word for word in self.mine if not word.codes)


def directives(comment: str) -> Iterator[Directive]:
    """The directives in a comment."""
    starts = [match.start() for match in _BEGIN.finditer(comment)] or [0]
    for start, end in zip(starts, [*starts[1:], len(comment)], strict=True):
        part = comment[start:end].rstrip()
        ours, noqa = _OURS.match(part), _NOQA.match(part)
        if ours:
            yield _ours(part, start, ours.end())
        elif noqa:
            yield _noqa(part, start, noqa)


def _ours(part: str, start: int, at: int) -> Directive:
    end = start + len(part)
    match = _IGNORE.match(part, at)
    if match is None:
        return Directive(part, start, end, wrong="only `ignore` is known")
    if match["list"] is None:
        rest = match["rest"].strip()
        if rest.startswith("["):
            return Directive(part, start, end, wrong="the bracket is not closed")
        if rest.startswith((":", PREFIX)):
            return Directive(part, start, end, wrong="codes stand in brackets: `ignore[IPC001]`")
        return Directive(part, start, end, bare=True)
    offset = start + match.start("words")
    words = [Word(w[0], offset + w.start(), offset + w.end()) for w in _LISTED.finditer(match["words"])]
    wrong = "" if words else "the brackets are empty"
    return Directive(part, start, end, tuple(words), wrong=wrong)


def _noqa(part: str, start: int, head: re.Match[str]) -> Directive:
    end = start + len(part)
    if not head["colon"]:
        return Directive(part, start, end, bare=True, noqa=True)
    words: list[Word] = []
    at = head.end()
    while code := _CODE.match(part, at):
        words.append(Word(code[0], start + code.start(), start + code.end()))
        between = _BETWEEN.match(part, code.end())
        if between is None:
            break
        at = between.end()
    return Directive(part, start, end, tuple(words), noqa=True)
