"""Edits of comments: a suppression taken out, a code put in. They touch nothing but comments."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ipc_lint.model import Edit, Span
from ipc_lint.suppress.comments import Directive, Word
from ipc_lint.suppress.statements import Comment


def span_in(comment: Comment, start: int, end: int) -> Span:
    """The span between two places in a comment."""
    column = comment.column + 1
    return Span(comment.line, column + start, comment.line, column + end)


def removal(
    lines: Sequence[str], comment: Comment, directive: Directive, words: Collection[Word] = ()
) -> Edit:
    """Take some words out of a suppression, or all of it (no words, or every one)."""
    kept = [word for word in directive.words if word not in words]
    if words and kept:
        first, last = directive.words[0], directive.words[-1]
        gap = comment.text[first.end : directive.words[1].start]
        return Edit(span_in(comment, first.start, last.end), gap.join(word.text for word in kept))
    before, after = comment.text[: directive.start].rstrip(), comment.text[directive.end :].lstrip()
    if before:
        return Edit(span_in(comment, len(before), directive.end), "")
    if after:
        return Edit(span_in(comment, 0, len(comment.text) - len(after)), "")
    return _whole(lines, comment)


def _whole(lines: Sequence[str], comment: Comment) -> Edit:
    """Take out a comment: with its line if it is alone there, else with the gap before it."""
    line = lines[comment.line - 1]
    if not comment.alone:
        code = len(line[: comment.column].rstrip())
        return Edit(Span(comment.line, code + 1, comment.line, comment.column + len(comment.text) + 1), "")
    if line.endswith(("\n", "\r")):
        return Edit(Span(comment.line, 1, comment.line + 1, 1), "")
    return Edit(Span(comment.line, 1, comment.line, len(line) + 1), "")
