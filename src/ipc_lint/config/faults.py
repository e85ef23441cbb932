"""What is wrong with a config: every value against the schema, all faults at once."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from keyword import iskeyword
from typing import cast

from msgspec import Struct

from ipc_lint.config.schema import SCHEMA, Json

Path = tuple[str | int, ...]
_TYPES: dict[str, tuple[type, str]] = {
    "string": (str, "a string"),
    "boolean": (bool, "true or false"),
    "array": (list, "a list"),
    "object": (dict, "a table"),
}
_DEFINITIONS = cast("Mapping[str, Mapping[str, Json]]", SCHEMA["$defs"])


class Fault(Struct, frozen=True):
    """Something wrong, and the way of keys and places that leads to it."""

    at: Path
    message: str


def faults(value: object) -> Iterator[Fault]:
    """Everything that is wrong with a whole config."""
    return _faults(value, SCHEMA, ())


def _faults(value: object, schema: Mapping[str, Json], at: Path) -> Iterator[Fault]:
    reference = schema.get("$ref")
    if isinstance(reference, str):
        schema = _DEFINITIONS[reference.rpartition("/")[2]]
    choices = schema.get("enum")
    if isinstance(choices, list):
        # To Python True is 1: the types have to agree, too.
        if not any(value == choice and type(value) is type(choice) for choice in choices):
            yield Fault(at, _not_among(value, choices, at))
        return
    python, name = _TYPES.get(str(schema.get("type")), (object, ""))
    if not isinstance(value, python):
        in_list = isinstance(at[-1], int) if at else False
        wanted = f"a list of strings, not of {_kind(value)}" if in_list else f"{name}, not {_kind(value)}"
        yield Fault(at, f"{_called(at)} has to be {wanted}")
    elif isinstance(value, str):
        yield from _string(value, schema, at)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _faults(item, cast("Mapping[str, Json]", schema["items"]), (*at, place))
    elif isinstance(value, dict):
        yield from _table(value, schema, at)


def _string(value: str, schema: Mapping[str, Json], at: Path) -> Iterator[Fault]:
    pattern = schema.get("pattern")
    if not value and schema.get("minLength"):
        yield Fault(at, f"{_called(at)}: an empty string says nothing")
    elif isinstance(pattern, str) and (not re.search(pattern, value) or iskeyword(value)):
        what = "the name of an attribute" if at[0] == "fields" else "a qualified name"
        yield Fault(at, f"{_called(at)}: not {what}: {value}")


def _table(value: Mapping[str, object], schema: Mapping[str, Json], at: Path) -> Iterator[Fault]:
    known = cast("Mapping[str, Mapping[str, Json]]", schema.get("properties", {}))
    others = schema.get("additionalProperties")
    for key, item in value.items():
        names = schema.get("propertyNames")
        if isinstance(names, dict):
            yield from _faults(key, {"type": "string", **names}, (*at, key))
        if key in known:
            yield from _faults(item, known[key], (*at, key))
        elif isinstance(others, dict):
            yield from _faults(item, others, (*at, key))
        else:
            yield Fault((*at, key), f"unknown key `{key}`{_hint(key, known, at)}")


def _hint(key: str, known: Iterable[str], at: Path) -> str:
    """What may have been meant by an unknown key."""
    if key == "tool" and not at:
        return " (only pyproject.toml has [tool.ipc-lint]; here the keys stand by themselves)"
    near = difflib.get_close_matches(key, known, 1)
    return f" (did you mean `{near[0]}`?)" if near else ""


def _not_among(value: object, choices: list[Json], at: Path) -> str:
    if choices == _DEFINITIONS["rule"]["enum"]:
        if isinstance(value, str):
            return f"{_called(at)}: no such rule: {value}"
        return f"{_called(at)} has to be a list of strings, not of {_kind(value)}"
    said = " or ".join("false" if choice is False else f'"{choice}"' for choice in choices)
    return f"{_called(at)} has to be {said}"


def _called(at: Path) -> str:
    """The key that a fault is about."""
    return "`" + ".".join(str(step) for step in at if isinstance(step, str)) + "`" if at else "the config"


def _kind(value: object) -> str:
    """What a value is, in words."""
    for python, name in _TYPES.values():
        if isinstance(value, python):
            return name if python is not bool else str(value).lower()
    return "a number" if isinstance(value, (int, float)) else "a date"
