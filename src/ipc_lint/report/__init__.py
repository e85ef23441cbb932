"""Reports: one small file a format. They know nothing of rules and print nothing themselves."""

from __future__ import annotations

from collections.abc import Callable

from ipc_lint.model import Report
from ipc_lint.report import (
    concise,
    github,
    gitlab,
    json,
    jsonl,
    junit,
    routes_json,
    routes_text,
    rules_json,
    rules_text,
    sarif,
    text,
)
from ipc_lint.report.context import Context, Docs

RENDERERS: dict[str, Callable[[Report, Context], str]] = {
    "text": text.render,
    "concise": concise.render,
    "json": json.render,
    "jsonl": jsonl.render,
    "sarif": sarif.render,
    "github": github.render,
    "gitlab": gitlab.render,
    "junit": junit.render,
}

ROUTES: dict[str, Callable[[Report, bool], str]] = {
    "text": routes_text.render,
    "json": routes_json.render,
}

RULES: dict[str, Callable[[Docs], str]] = {
    "text": rules_text.render,
    "json": rules_json.render,
}

__all__ = ["RENDERERS", "ROUTES", "RULES", "Context"]
