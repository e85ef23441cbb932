"""The nouns that the pieces hand to each other: frozen, slotted, free of syntax nodes.

A position counts lines and columns from 1, in code points; the end of a span is exclusive.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Severity = Literal["error", "warning"]
Applicability = Literal["safe", "unsafe"]
Kind = Literal["construction", "send", "gate", "copy", "stamp"]
Role = Literal["carrier", "stamper", "sender"]


class Span(Struct, frozen=True, order=True):
    """A stretch of one file: 1-based lines and columns in code points, end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Edit(Struct, frozen=True):
    """Replace the text of ``span`` by ``content`` (an empty span inserts)."""

    span: Span
    content: str


class Fix(Struct, frozen=True):
    """A cure of one finding: its edits and whether they may be applied unread.

    ``kind`` is the change of the syntax tree that it makes (:mod:`ipc_lint.proof`), by which it is
    proven before anything is written.
    """

    message: str
    applicability: Applicability
    edits: tuple[Edit, ...]
    kind: str = "argument"


class Related(Struct, frozen=True):
    """Another place that proves the finding: a caller, an origin, a later stamper."""

    path: str
    line: int
    column: int
    message: str


class Finding(Struct, frozen=True):
    """One proven fault, ready for any report.

    ``path`` is relative to the working directory where that is possible, with forward slashes and
    no leading ``./``. ``carrier`` is a qualified class name, ``origin`` source text or None;
    ``help`` says what to do about it in one line. ``suppressed`` is the comment that silences it.
    One about a comment has neither a symbol nor a field.
    """

    code: str
    name: str
    severity: Severity
    message: str
    help: str
    path: str
    span: Span
    symbol: str
    field: str
    carrier: str | None
    origin: str | None
    fingerprint: str
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    suppressed: str | None = None

    @property
    def explain(self) -> str:
        """The command that says more of the rule."""
        return f"ipc-lint explain {self.code}"


class RuleDoc(Struct, frozen=True):
    """What is to be known of a rule; ``text`` is Markdown and begins with the ``summary``.

    ``fix`` is the best that its fixes can be, None if it has none; ``link`` leads to the first fault
    of that kind that is known, if there is one.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    text: str
    fix: Applicability | None
    link: str | None


class Problem(Struct, frozen=True, order=True):
    """A path that could not be checked, and why: one line for the user, exit code 2."""

    path: str
    message: str


class Passed(Struct, frozen=True):
    """The field goes along: at the site itself, or set before the object leaves."""

    reason: str


class Stamped(Struct, frozen=True):
    """A sender or stamper sets the field later; ``by`` is its qualified name."""

    by: str
    reason: str


class NoClient(Struct, frozen=True):
    """Nobody waits for this object: it answers no request or is never sent."""

    reason: str


class Unproven(Struct, frozen=True):
    """Nothing can be said: a class, a receiver or a value could not be resolved."""

    reason: str


class Lost(Struct, frozen=True):
    """The field is lost here; ``reason`` says in which way."""

    reason: str


Outcome = Passed | Stamped | NoClient | Unproven | Lost


class SiteRecord(Struct, frozen=True):
    """One site of the field and what became of it there (``routes``, ``--verbose``).

    ``symbol`` is the function, ``subject`` the class, sender or object that it is about, ``code`` the
    rule that reports it, if one does.
    """

    kind: Kind
    path: str
    span: Span
    symbol: str
    subject: str
    field: str
    outcome: Outcome
    code: str | None = None

    @property
    def what(self) -> str:
        """The outcome in one word."""
        return type(self.outcome).__name__.lower()


class Inferred(Struct, frozen=True):
    """One thing that was inferred from the code: a class or a function, and its part in the field."""

    kind: Role
    path: str
    line: int
    name: str
    field: str
    what: str


class Skipped(Struct, frozen=True, order=True):
    """A file or folder that was not looked at, and why."""

    path: str
    reason: str


class Report(Struct, frozen=True):
    """All that a run found.

    ``files_checked`` counts the files named or found below the paths that could be checked;
    ``unknown_fields`` are the fields that no class of any project declares: nothing was to be found.
    ``suppressed`` are the findings that a comment silences, ``known`` is the number of those in a
    baseline; ``stale`` says of each entry of a baseline that is no longer found what it was.
    ``sites``, ``inferred`` and ``skipped`` are there only if they were asked for; ``unparsed`` counts
    the checked files that hold none of the names that matter.
    """

    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...]
    files_checked: int
    sites: tuple[SiteRecord, ...] = ()
    unknown_fields: tuple[str, ...] = ()
    suppressed: tuple[Finding, ...] = ()
    known: int = 0
    stale: tuple[str, ...] = ()
    inferred: tuple[Inferred, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    unparsed: int = 0
