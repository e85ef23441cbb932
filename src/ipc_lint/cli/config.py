"""``ipc-lint config``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from ipc_lint.cli.exits import CLEAN
from ipc_lint.cli.options import said_in_lines
from ipc_lint.cli.output import show

if TYPE_CHECKING:
    from ipc_lint.config.read import ConfigFile


@click.command()
@click.argument("path", default=".", type=click.Path(exists=True))
@click.option("--config", type=click.Path(), metavar="FILE", help="This config file, for every path.")
def config(path: str, config: str | None) -> int:
    """Show what holds for a file or folder (default: the current one), and where each value comes from."""
    from ipc_lint.config.resolve import Configs
    from ipc_lint.files.paths import folder_of

    with said_in_lines():
        found = Configs(file=config).file(folder_of(os.path.abspath(path)))
    lines = _lines(found)
    width = max(len(line) for line, _ in lines if len(line) <= _WIDE)
    show("".join(f"{line:<{width}}  # {origin}\n" for line, origin in lines))
    return CLEAN


_WIDE = 60  # a longer line has its comment right behind it


def _lines(found: ConfigFile | None) -> list[tuple[str, str]]:
    """Each key with its value as TOML, and where that comes from."""
    from ipc_lint.config.lines import Lines
    from ipc_lint.config.read import tables_above
    from ipc_lint.config.schema import PROPERTIES
    from ipc_lint.files.paths import shown
    from ipc_lint.presets import fields_of
    from ipc_lint.settings import Settings

    table = {} if found is None else found.table
    places = Lines("" if found is None else found.text)
    lines = []
    for key in PROPERTIES:
        if found is not None and key in table:
            origin = f"{shown(found.path)}:{places.of((*tables_above(found.path), key))}"
            lines.append((f"{key} = {_toml(table[key])}", origin))
        else:
            default = getattr(Settings(), key.replace("-", "_"))
            is_table = PROPERTIES[key]["type"] == "object" if "type" in PROPERTIES[key] else False
            text = f"{key} = {_toml({} if is_table else default)}"
            origin = "default"
            if key == "fields" and table.get("preset", True):
                origin = f"default: {', '.join(fields_of(Settings()))}, by the preset"
            lines.append((f"# {key} is not set" if default is None else text, origin))
    return lines


def _toml(value: object) -> str:
    import json

    if isinstance(value, dict):
        inner = ", ".join(f"{_key(key)} = {_toml(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _key(key: str) -> str:
    import json

    return (
        key if key.replace("-", "_").isidentifier() and key.isascii() else json.dumps(key, ensure_ascii=False)
    )
