"""What is known of projects that are imported without being there: data only, one file a project."""

from __future__ import annotations

from ipc_lint.presets.table import Preset


def load(name: str) -> Preset:
    """The preset of that name; KeyError if there is none."""
    if name != "sglang":
        raise KeyError(name)
    from ipc_lint.presets.sglang import PRESET

    return PRESET
