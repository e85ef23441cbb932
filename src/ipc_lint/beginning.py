"""What a run looks for first: it is known before any file has been read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ipc_lint.files.words import least
from ipc_lint.presets import fields_of, load
from ipc_lint.settings import Overrules, Settings


class Beginning(NamedTuple):
    """The words that the fields and the config give, and the stubs that may stand in, by module."""

    words: list[str]
    stubs: dict[str, str]


def beginning(settings: Settings, files: Iterable[str]) -> Beginning:
    """The words and the stubs; nothing stands in for a package that is part of the project."""
    words = [name for field in fields_of(settings) for name in (field, f"{field}s")]
    stubs = _stubs(settings)
    endings = tuple(f"{os.sep}{module.replace('.', os.sep)}.py" for module in stubs)
    if any(path.endswith(endings) for path in files):
        stubs = {}
    return Beginning(least([*words, *_definitions(settings.overrules)]), stubs)


def _stubs(settings: Settings) -> dict[str, str]:
    """The preset's modules as source, if the preset speaks of a field that is followed."""
    if settings.preset is None:
        return {}
    preset = load(settings.preset)
    return preset.stubs() if set(fields_of(settings)) & set(preset.fields) else {}


def _definitions(overrules: Overrules) -> Iterator[str]:
    """What the files hold that define the names of the config."""
    yield from (f"class {_last(name)}" for name in overrules.carriers)
    for names in (overrules.senders, overrules.stampers, overrules.addressed_senders):
        yield from (f"def {_last(name)}" for name in names)


def _last(name: str) -> str:
    """The last part of a qualified name, without the roles behind it."""
    return name.partition("(")[0].rpartition(".")[2]
