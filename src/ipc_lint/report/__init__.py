"""Reports: one small file a format. They know nothing of rules and print nothing themselves."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from ipc_lint.model import Report
from ipc_lint.report.context import Context, Docs


def _of(name: str) -> Callable[..., Any]:
    """What a format's file makes; it is loaded when it is asked: some of them take long."""

    def render(*given: Any) -> Any:
        return import_module(f"{__name__}.{name}").render(*given)

    return render


RENDERERS: dict[str, Callable[[Report, Context], str]] = {
    name: _of(name) for name in ("text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit")
}

ROUTES: dict[str, Callable[[Report, bool], str]] = {
    "text": _of("routes_text"),
    "json": _of("routes_json"),
}

RULES: dict[str, Callable[[Docs], str]] = {
    "text": _of("rules_text"),
    "json": _of("rules_json"),
}

__all__ = ["RENDERERS", "ROUTES", "RULES", "Context"]
