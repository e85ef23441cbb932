"""The libcst visitors: every construction, send, gate, copy and stamp of a slice that a verdict speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import libcst as cst
from msgspec import Struct

from ipc_lint.files.source import Source, Unreadable
from ipc_lint.judge.decided import Decided
from ipc_lint.model import Outcome, Span
from ipc_lint.sites.edits import Layout, Spans
from ipc_lint.sites.slices import Slice, cut, simple_statement, spans, statement_around


class Site(Struct, frozen=True):
    """A place of the field in the source, with what was decided of it."""

    source: Source
    span: Span
    code: str  # the source text of the node, on one line
    verdict: Decided
    spans: Spans  # where the nodes of the slice stand
    formatted: bool  # it stands in an f-string

    @property
    def outcome(self) -> Outcome:
        """What becomes of the field here."""
        return self.verdict.outcome


class CallSite(Site, frozen=True):
    """A call, with what an edit of it needs to know."""

    node: cst.Call

    @property
    def layout(self) -> Layout:
        """The call as it stands in the file."""
        return Layout(self.source, self.spans, self.node, self.source.text.encode())


class Construction(CallSite, frozen=True):
    """A call that makes a carrier."""


class Copy(Construction, frozen=True):
    """A call that copies a carrier."""


class Send(CallSite, frozen=True):
    """A call of a sender."""


class GateTest(Site, frozen=True):
    """A test of a class on the way to a stamp; ``statement`` is the ``if`` whose test it is in."""

    node: cst.CSTNode
    statement: cst.If | None


class Stamp(Site, frozen=True):
    """An assignment to the field, or a call that sets it."""

    node: cst.CSTNode


class SiteVisitor(cst.CSTVisitor):
    """Locates the nodes that verdicts speak of, by where they stand."""

    def __init__(
        self, source: Source, piece: Slice, wanted: Mapping[tuple[int, int], Iterable[Decided]]
    ) -> None:
        super().__init__()
        self.found: list[Site] = []
        self._source = source
        self._piece = piece
        self._wanted = wanted
        self._spans = spans(piece)
        self._ifs: list[cst.If] = []
        self._strings = 0

    def visit_If_test(self, node: cst.If) -> None:
        """What comes now is the test of an ``if``."""
        self._ifs.append(node)

    def leave_If_test(self, node: cst.If) -> None:
        """The test is over."""
        self._ifs.pop()

    def visit_FormattedString(self, node: cst.FormattedString) -> None:
        """What comes now stands in an f-string."""
        self._strings += 1

    def leave_FormattedString(self, original_node: cst.FormattedString) -> None:
        """The f-string is over."""
        self._strings -= 1

    def visit_Call(self, node: cst.Call) -> None:
        """Constructions, copies and sends are calls, and so are most gates."""
        self._take(node)

    def visit_Assign(self, node: cst.Assign) -> None:
        """``x.field = y``."""
        self._take(node)

    def visit_AnnAssign(self, node: cst.AnnAssign) -> None:
        """``x.field: T = y``."""
        self._take(node)

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        """``x.field += y``."""
        self._take(node)

    def visit_Comparison(self, node: cst.Comparison) -> None:
        """``type(x) is T``."""
        self._take(node)

    def visit_MatchClass(self, node: cst.MatchClass) -> None:
        """``case T():`` is a gate too."""
        self._take(node)

    def visit_MatchAs(self, node: cst.MatchAs) -> None:
        """``case T() as x:``."""
        self._take(node)

    def visit_MatchOr(self, node: cst.MatchOr) -> None:
        """``case A() | B():``."""
        self._take(node)

    def _take(self, node: cst.CSTNode) -> None:
        start, end = self._spans.get(node, (-1, -1))
        for verdict in self._wanted.get((start, end), ()):
            span = self._source.span_at(start, end)
            code = " ".join(self._piece.wrapper.module.code_for_node(node).split())
            around = self._ifs[-1] if self._ifs else None
            known = self._source, span, code, verdict, self._spans, self._strings > 0
            match verdict.kind, node:
                case "construction", cst.Call():
                    self.found.append(Construction(*known, node))
                case "copy", cst.Call():
                    self.found.append(Copy(*known, node))
                case "send", cst.Call():
                    self.found.append(Send(*known, node))
                case "stamp", _:
                    self.found.append(Stamp(*known, node))
                case "gate", _:
                    self.found.append(GateTest(*known, node, around))


def locate(source: Source, verdicts: Iterable[Decided]) -> list[Site]:
    """The sites of the verdicts of one file; one slice is parsed for each function.

    Raises Unreadable where a slice can't be parsed.
    """
    slices: dict[tuple[int, int], dict[tuple[int, int], list[Decided]]] = {}
    for verdict in verdicts:
        lines = verdict.lines or statement_around(source, verdict.at.line)
        at = verdict.at
        place = source.offset(at.line, at.column), source.offset(at.end_line, at.end_column)
        slices.setdefault(lines, {}).setdefault(place, []).append(verdict)
    found: list[Site] = []
    for (first, last), wanted in sorted(slices.items()):
        try:
            found += _visit(source, first, last, wanted)
        except Unreadable:
            # One statement in it is too much for libcst: look at those in question alone.
            for place, group in sorted(wanted.items()):
                lines = simple_statement(source, group[0].at.line)
                found += _visit(source, *lines, {place: group})
    return found


def _visit(
    source: Source, first: int, last: int, wanted: Mapping[tuple[int, int], list[Decided]]
) -> list[Site]:
    piece = cut(source, first, last)
    try:
        visitor = SiteVisitor(source, piece, wanted)
        piece.wrapper.module.visit(visitor)
    except (RecursionError, KeyError):
        raise Unreadable(f"line {first}: nested too deeply to be looked at") from None
    if len(visitor.found) < sum(len(group) for group in wanted.values()):
        raise Unreadable(f"line {first}: something in it cannot be located")
    return visitor.found
