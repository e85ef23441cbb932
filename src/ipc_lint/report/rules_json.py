"""The rules as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict

from ipc_lint.report.context import Docs


def render(docs: Docs) -> str:
    """A list: ``code``, ``name``, ``severity``, ``summary``, ``text``, ``fix``, ``link`` of each."""
    return json.dumps([asdict(doc) for doc in docs], indent=2) + "\n"
