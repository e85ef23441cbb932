"""One config file, read into a layer of the settings; or all that is wrong with it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from msgspec import Struct

from ipc_lint.config.faults import Fault, faults
from ipc_lint.config.lines import Keys, Lines
from ipc_lint.files.config_file import LIKE_OURS, SHARED, TABLE
from ipc_lint.files.ignore import BadPattern, Patterns
from ipc_lint.files.paths import shown
from ipc_lint.files.toml import NotToml, parse
from ipc_lint.settings import Layer, Rooted

_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")
_PATTERNS = ("exclude", "extend-exclude")


class BadConfig(Exception):
    """A config that can't be followed; ``lines`` say why, each with file and line."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


class ConfigFile(Struct, frozen=True):
    """What one file says. ``table`` holds the values as they are written."""

    path: str
    layer: Layer
    table: Mapping[str, object]
    text: str

    def line(self, key: str) -> int:
        """Where a key stands."""
        return Lines(self.text).of((*tables_above(self.path), key))


def read(path: str) -> ConfigFile:
    """Read a config file; BadConfig, with everything that is wrong, if it can't be followed."""
    text = _text(path)
    try:
        whole: Any = parse(text)
    except NotToml as error:
        place = _PLACE.search(str(error))
        said = _PLACE.sub("", str(error))
        line = int(place[1]) if place else len(text.splitlines()) or 1
        raise BadConfig([f"{shown(path)}:{line}: not TOML: {said[:1].lower()}{said[1:]}"]) from None
    except RecursionError:
        raise BadConfig([f"{shown(path)}:1: nested too deeply"]) from None
    table: Any = whole
    misspelt = next(_misspelt(whole), None) if os.path.basename(path) == SHARED else None
    if misspelt is not None:
        line = Lines(text).of(misspelt)
        raise BadConfig([f"{shown(path)}:{line}: [{'.'.join(misspelt)}] is [{'.'.join(TABLE)}], misspelt"])
    for step in tables_above(path):
        table = table.get(step, {}) if isinstance(table, dict) else table
    found = [*faults(table)] or [*_bad_patterns(table)]
    if found:
        lines = Lines(text)
        said_of = sorted({(_line(fault, table, lines, path), fault.message) for fault in found})
        raise BadConfig([f"{shown(path)}:{line}: {message}" for line, message in said_of])
    return ConfigFile(path, _layer(table, path), table, text)


def _misspelt(whole: Mapping[str, Any]) -> Iterator[Keys]:
    """The tables that are meant to be ours and are called otherwise."""
    tool = whole.get(TABLE[0])
    for above, table in (((), whole), ((TABLE[0],), tool if isinstance(tool, dict) else {})):
        for key in table:
            if re.fullmatch(LIKE_OURS, key, re.IGNORECASE) and (*above, key) != TABLE:
                yield (*above, key)


def tables_above(path: str) -> Keys:
    """The tables around ours."""
    return TABLE if os.path.basename(path) == SHARED else ()


def _text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise BadConfig([f"{shown(path)}: cannot be read: {error.strerror or error}"]) from None
    try:
        return data.decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadConfig([f"{shown(path)}:{line}: not UTF-8"]) from None


def _line(fault: Fault, table: object, lines: Lines, path: str) -> int:
    keys: list[str] = []
    value: Any = table
    for step in fault.at:
        value = value.get(step) if isinstance(value, dict) else value[step]
        if isinstance(step, str):
            keys.append(step)
    return lines.of((*tables_above(path), *keys), value)


def _bad_patterns(table: Mapping[str, Any]) -> Iterator[Fault]:
    listed = [(key, place, p) for key in _PATTERNS for place, p in enumerate(table.get(key, ()))]
    named = [("per-file-ignores", pattern, pattern) for pattern in table.get("per-file-ignores", ())]
    for key, place, pattern in (*listed, *named):
        try:
            if not pattern.isidentifier():  # a plain name needs no look, and no loading of what looks
                Patterns([pattern.removeprefix("!")], strict=True)
        except BadPattern:
            yield Fault((key, place), f"`{key}`: not a pattern: {pattern}")


def _layer(table: Mapping[str, Any], path: str) -> Layer:
    """The values as settings: paths and patterns are seen from the folder of the file."""
    folder = os.path.dirname(path)
    layer: dict[str, object] = {"config": path}
    for key, value in table.items():
        name = key.replace("-", "_")
        if key in _PATTERNS:
            layer[name] = tuple(Rooted(pattern, folder) for pattern in value)
        elif key == "per-file-ignores":
            layer[name] = tuple((Rooted(p, folder), tuple(words)) for p, words in value.items())
        elif key == "baseline":
            layer[name] = os.path.normpath(os.path.join(folder, value))
        elif key == "preset":
            layer[name] = value or None
        elif isinstance(value, dict):
            layer[name] = tuple(value.items())
        else:
            layer[name] = tuple(value) if isinstance(value, list) else value
    return cast("Layer", layer)
