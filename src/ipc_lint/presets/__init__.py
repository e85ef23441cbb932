"""What is known of projects that are imported without being there: data only, one file a project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ipc_lint.presets.table import Preset

if TYPE_CHECKING:
    from ipc_lint.settings import Settings


def load(name: str) -> Preset:
    """The preset of that name; KeyError if there is none."""
    if name != "sglang":
        raise KeyError(name)
    from ipc_lint.presets.sglang import PRESET

    return PRESET


def fields_of(settings: Settings) -> tuple[str, ...]:
    """The fields to follow, each once: those that are named, else those of the preset."""
    if settings.fields or settings.preset is None:
        return tuple(dict.fromkeys(settings.fields))
    return load(settings.preset).fields
