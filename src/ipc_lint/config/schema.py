"""What may stand in a config file, as a JSON schema; the reader knows nothing that is not in here.

``schema.json`` beside this file is written from it (``python tools/schema.py``).
"""

from __future__ import annotations

from typing import TypeAlias

from ipc_lint.codes import WORDS

Json: TypeAlias = "dict[str, Json] | list[Json] | str | bool | int | None"

_NAME = r"[^\W\d]\w*"
_DOTTED = rf"^{_NAME}(\.{_NAME})*$"
_WITH_ROLES = rf"^{_NAME}(\.{_NAME})*(\({_NAME}(, *{_NAME})?\))?$"


def _list(about: str, **item: Json) -> dict[str, Json]:
    return {"description": about, "type": "array", "items": {"type": "string", "minLength": 1, **item}}


def _flag(about: str) -> dict[str, Json]:
    return {"description": about, "type": "boolean"}


_RULES: dict[str, Json] = {"type": "array", "items": {"$ref": "#/$defs/rule"}}
PROPERTIES: dict[str, dict[str, Json]] = {
    "fields": _list("The attributes to follow, in place of the preset's.", pattern=rf"^{_NAME}$"),
    "preset": {
        "description": "The built-in knowledge of a project that is imported, or false for none.",
        "enum": ["sglang", False],
    },
    "select": {**_RULES, "description": "Only these rules: codes, prefixes of codes, or names."},
    "ignore": {**_RULES, "description": "Not these rules."},
    "per-file-ignores": {
        "description": "Not these rules in the files that a pattern speaks of.",
        "type": "object",
        "propertyNames": {"minLength": 1},
        "additionalProperties": _RULES,
    },
    "severity": {
        "description": "How bad the findings of some rules are.",
        "type": "object",
        "propertyNames": {"$ref": "#/$defs/rule"},
        "additionalProperties": {"enum": ["error", "warning"]},
    },
    "exclude": _list("Patterns as in .gitignore of what to pass over, in place of the defaults."),
    "extend-exclude": _list("Patterns of what to pass over besides that."),
    "force-exclude": _flag("Exclude even files that are named on the command line."),
    "respect-gitignore": _flag("Pass over what git ignores."),
    "baseline": {
        "description": "A file of known findings, which are not reported.",
        "type": "string",
        "minLength": 1,
    },
    "carriers": _list("Classes that have the field, besides those that are found.", pattern=_DOTTED),
    "senders": _list(
        "Functions that set the field and hand the object on, besides those that are found; with the names "
        "of the parameters behind them: pkg.out.push(message, request).",
        pattern=_WITH_ROLES,
    ),
    "stampers": _list("Functions that only set the field, likewise.", pattern=_WITH_ROLES),
    "addressed-senders": _list(
        "Functions that are given the address beside the object: what they send is left alone.",
        pattern=_DOTTED,
    ),
    "ignore-functions": _list("Patterns of qualified names: nothing in these functions is reported."),
}
SCHEMA: dict[str, Json] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "ipc-lint.toml, or [tool.ipc-lint] in pyproject.toml",
    "type": "object",
    "properties": {**PROPERTIES},
    "additionalProperties": False,
    "$defs": {"rule": {"description": "A code, a prefix of codes, or a name.", "enum": list(WORDS)}},
}
