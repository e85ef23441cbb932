"""What the rules about comments have in common: they speak of suppressions, not of sites."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ipc_lint.model import Finding, Fix, Severity
from ipc_lint.proof import COMMENT
from ipc_lint.rules._rule import Rule, fingerprint
from ipc_lint.sites.visitors import Site
from ipc_lint.suppress.apply import Remark


class AboutComments(Rule):
    """Puts a remark about a suppression into words."""

    severity: ClassVar[Severity] = "warning"

    def check(self, site: Site) -> Iterator[Finding]:
        """There is nothing to say of a site."""
        yield from ()

    def words(self, remark: Remark) -> tuple[str, str, str]:
        """Message, help, and what the fix is called."""
        raise NotImplementedError

    def about(self, remark: Remark) -> Iterator[Finding]:
        """The finding, if the remark is for this rule."""
        if remark.code != self.code:
            return
        message, help, title = self.words(remark)
        yield Finding(
            code=self.code,
            name=self.name,
            severity=self.severity,
            message=message,
            help=help,
            path=remark.path,
            span=remark.span,
            symbol="",
            field="",
            carrier=None,
            origin=None,
            fingerprint=fingerprint(self.code, " ".join(remark.words), "", remark.text),
            fix=Fix(title, "safe", (remark.edit,), COMMENT) if remark.edit is not None else None,
        )
