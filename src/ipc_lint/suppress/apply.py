"""The suppressions of one file: what they silence, and what is to be said of them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from ipc_lint.codes import ABOUT_COMMENTS, CODES, UNKNOWN, UNUSED, guess
from ipc_lint.files.source import Source
from ipc_lint.model import Edit, Finding, Span
from ipc_lint.suppress.comments import Directive, Word
from ipc_lint.suppress.edits import removal, span_in
from ipc_lint.suppress.statements import Comment, layout

_ABOUT_CODE = CODES.keys() - ABOUT_COMMENTS


class Remark(Struct, frozen=True):
    """Something to say of a suppression, for one of the rules about comments."""

    code: str
    path: str
    span: Span
    text: str  # of the whole suppression
    words: tuple[str, ...] = ()
    why: str = ""
    guess: str = ""
    edit: Edit | None = None


class _Entry(Struct):
    comment: Comment
    directive: Directive
    used: set[Word] = field(default_factory=set)
    silences: bool = False

    def silence(self, code: str) -> bool:
        """Whether it silences a rule here; what did so is not unused."""
        if self.directive.wrong:
            return False
        words = {word for word in self.directive.mine if code in word.codes}
        if code in ABOUT_COMMENTS:
            # A comment that silences everything can't hide that it silences nothing.
            words = {word for word in words if word.codes <= ABOUT_COMMENTS}
        elif self.directive.bare:
            self.silences = True
            return True
        self.used |= words
        return bool(words)


class Suppressions:
    """What the comments of a file silence."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._layout = layout(source)
        self._entries = [_Entry(c, d) for c in self._layout.comments for d in c.directives]

    def silence(self, code: str, line: int) -> str | None:
        """The suppression that silences a rule on a line, if one does."""
        statement = self._layout.statement(line)
        found = [
            entry
            for entry in self._entries
            if (entry.comment.line == line or (statement is not None and entry.comment.about == statement))
            and entry.silence(code)
        ]
        return found[0].directive.text if found else None

    def split(self, findings: list[Finding]) -> tuple[list[Finding], list[tuple[Finding, str]]]:
        """The findings that are left, and those that are silenced, each with what silences it."""
        texts = [(finding, self.silence(finding.code, finding.span.line)) for finding in findings]
        return [f for f, text in texts if text is None], [(f, text) for f, text in texts if text is not None]

    def remarks(self, selected: frozenset[str], *, is_whole: bool) -> list[Remark]:
        """What there is to say of the suppressions, after everything was silenced.

        ``selected`` are the rules that hold here: what another rule would need is not unused. Nor can
        anything be called so where not everything could be looked for (``is_whole``).
        """
        every = [r for entry in self._entries for r in _unknown(entry, self._source)]
        if is_whole:
            every += [r for entry in self._entries for r in self._unused(entry, selected)]
        mine = [remark for remark in every if remark.code in selected]
        return [remark for remark in mine if self.silence(remark.code, remark.span.line) is None]

    def _unused(self, entry: _Entry, selected: frozenset[str]) -> Iterator[Remark]:
        directive = entry.directive
        if directive.bare:
            whole = not directive.noqa and not entry.silences and selected >= _ABOUT_CODE
            words: tuple[Word, ...] = ()
        else:
            words = tuple(w for w in directive.mine if w not in entry.used and _is_for(w.codes, selected))
            whole = bool(words)
        if whole and not directive.wrong:
            yield Remark(
                UNUSED,
                self._source.path,
                span_in(entry.comment, directive.start, directive.end),
                directive.text,
                tuple(word.text for word in words),
                edit=removal(self._source.lines, entry.comment, directive, words),
            )


def _is_for(codes: frozenset[str], selected: frozenset[str]) -> bool:
    """Whether a word is about code, and all that it stands for was looked for."""
    about_code = codes & _ABOUT_CODE
    return bool(about_code) and about_code <= selected


def _unknown(entry: _Entry, source: Source) -> Iterator[Remark]:
    directive, comment = entry.directive, entry.comment
    if directive.wrong:
        place = span_in(comment, directive.start, directive.end)
        yield Remark(UNKNOWN, source.path, place, directive.text, why=directive.wrong)
    for word in directive.unknown:
        place = span_in(comment, word.start, word.end)
        yield Remark(UNKNOWN, source.path, place, directive.text, (word.text,), guess=guess(word.text))
