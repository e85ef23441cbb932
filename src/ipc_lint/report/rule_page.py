"""One rule with all that is known of it, in Markdown: for ``explain`` and for ``docs/rules/``."""

from __future__ import annotations

from ipc_lint.model import RuleDoc

_FIXES = {"safe": "safe fix", "unsafe": "unsafe fix", None: "no fix"}


def render(doc: RuleDoc) -> str:
    """The headline, the grade, the documentation."""
    return f"# {doc.code} {doc.name}\n\n*{doc.severity}, {_FIXES[doc.fix]}*\n\n{doc.text}\n"
