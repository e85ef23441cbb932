"""Reports: one small file a format. They know nothing of rules and print nothing themselves."""

from __future__ import annotations

from collections.abc import Callable

from ipc_lint.model import Report
from ipc_lint.report import concise, json, routes_json, routes_text, text

Sources = Callable[[str], list[str]]
"""From the path of a finding to the lines of that file, without newlines; [] if there are none."""

Renderer = Callable[[Report, Sources, bool], str]

RENDERERS: dict[str, Renderer] = {
    "text": text.render,
    "concise": concise.render,
    "json": json.render,
}

ROUTES: dict[str, Callable[[Report, bool], str]] = {
    "text": routes_text.render,
    "json": routes_json.render,
}
