"""The rules as JSON."""

from __future__ import annotations

import json

from msgspec import to_builtins

from ipc_lint.report.context import Docs


def render(docs: Docs) -> str:
    """A list: ``code``, ``name``, ``severity``, ``summary``, ``text``, ``fix``, ``link`` of each."""
    return json.dumps([to_builtins(doc) for doc in docs], indent=2) + "\n"
