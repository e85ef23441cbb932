"""What all rules are: a code, a name, a documentation that is tested, and one way to report."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from typing import ClassVar

from ipc_lint.model import Finding, Fix, Related, Severity
from ipc_lint.sites.visitors import Site

# An older parser works out by a search where something in an f-string stands: that is too little to
# edit it, and what it takes there is less.
_EDITS_F_STRINGS = sys.version_info >= (3, 12)


class Rule:
    """The base of all rules; the docstring of a rule is its documentation and its first test."""

    code: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Severity] = "error"

    def check(self, site: Site) -> Iterator[Finding]:
        """The findings at one site."""
        raise NotImplementedError

    def found(
        self, site: Site, message: str, help: str, severity: Severity | None = None, fix: Fix | None = None
    ) -> Finding:
        """A finding at the site."""
        verdict = site.verdict
        return Finding(
            code=self.code,
            name=self.name,
            severity=severity or self.severity,
            message=message,
            help=help,
            path=site.source.path,
            span=site.span,
            symbol=verdict.symbol,
            field=verdict.field,
            carrier=verdict.carrier,
            origin=verdict.origin,
            fingerprint=fingerprint(self.code, verdict.symbol, verdict.short, site.code),
            related=tuple(_related(site)),
            fix=fix if _EDITS_F_STRINGS or not site.formatted else None,
        )


def fingerprint(code: str, symbol: str, carrier: str, statement: str) -> str:
    """What stays the same of a finding when its lines, its file or the class's module move."""
    text = "\0".join((code, symbol, carrier, statement))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _related(site: Site) -> Iterator[Related]:
    for proof in site.verdict.proofs:
        yield Related(proof.path, proof.at.line, proof.column, proof.message)
