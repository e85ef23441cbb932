"""Every site of the field for people: one line each, file after file, then the totals."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ipc_lint.model import Report, SiteRecord
from ipc_lint.report.order import OUTCOMES, sites_of, totals_of

_BOLD = "1"
_TINTS = {"lost": "31;1", "unproven": "33"}


def render(report: Report, colour: bool) -> str:
    """The sites below their files, and how many of each kind there are."""
    return "".join(f"{line}\n" for line in _lines(report, colour))


def described(site: SiteRecord, colour: bool = False) -> str:
    """What a site is and what became of the field there."""
    what = _ink(_TINTS.get(site.what, ""), site.what, colour)
    return f"{site.kind} {site.subject}: {what} — {site.outcome.reason}"


def _lines(report: Report, colour: bool) -> Iterator[str]:
    for path, group in groupby(sites_of(report), key=lambda site: site.path):
        sites = list(group)
        places = [f"{site.span.line}:{site.span.column}" for site in sites]
        width = max(map(len, places))
        yield _ink(_BOLD, path, colour)
        for place, site in zip(places, sites, strict=True):
            yield f"  {place:<{width}} {described(site, colour)}"
        yield ""
    yield from _totals(report)


def _totals(report: Report) -> Iterator[str]:
    """A table: a row for each kind, a column for each outcome."""
    totals = totals_of(report)
    rows = [["", *OUTCOMES], *([kind, *map(str, row.values())] for kind, row in totals.items())]
    first, *others = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *cells in rows:
        numbers = [f"{cell:>{width}}" for cell, width in zip(cells, others, strict=True)]
        yield "  ".join([f"{name:<{first}}", *numbers])


def _ink(code: str, text: str, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour and code else text
