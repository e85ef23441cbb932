"""The nouns that the pieces hand to each other: frozen, slotted, free of syntax nodes.

A position counts lines and columns from 1, in code points; the end of a span is exclusive.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]
Applicability = Literal["safe", "unsafe"]
Kind = Literal["construction", "send", "gate", "copy", "stamp"]
Role = Literal["carrier", "stamper", "sender"]


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one file: 1-based lines and columns in code points, end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of ``span`` by ``content`` (an empty span inserts)."""

    span: Span
    content: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A cure of one finding: its edits and whether they may be applied unread.

    ``kind`` is the change of the syntax tree that it makes (:mod:`ipc_lint.proof`), by which it is
    proven before anything is written.
    """

    message: str
    applicability: Applicability
    edits: tuple[Edit, ...]
    kind: str = "argument"


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that proves the finding: a caller, an origin, a later stamper."""

    path: str
    line: int
    column: int
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
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


@dataclass(frozen=True, slots=True)
class RuleDoc:
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


@dataclass(frozen=True, slots=True)
class Problem:
    """A path that could not be checked, and why: one line for the user, exit code 2."""

    path: str
    message: str


@dataclass(frozen=True, slots=True)
class Passed:
    """The field goes along: at the site itself, or set before the object leaves."""

    reason: str


@dataclass(frozen=True, slots=True)
class Stamped:
    """A sender or stamper sets the field later; ``by`` is its qualified name."""

    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class NoClient:
    """Nobody waits for this object: it answers no request or is never sent."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unproven:
    """Nothing can be said: a class, a receiver or a value could not be resolved."""

    reason: str


@dataclass(frozen=True, slots=True)
class Lost:
    """The field is lost here; ``reason`` says in which way."""

    reason: str


Outcome = Passed | Stamped | NoClient | Unproven | Lost


@dataclass(frozen=True, slots=True)
class SiteRecord:
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


@dataclass(frozen=True, slots=True)
class Inferred:
    """One thing that was inferred from the code: a class or a function, and its part in the field."""

    kind: Role
    path: str
    line: int
    name: str
    field: str
    what: str


@dataclass(frozen=True, slots=True, order=True)
class Skipped:
    """A file or folder that was not looked at, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
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
