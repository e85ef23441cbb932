"""What is known of projects that are imported without being there: data only."""

from __future__ import annotations

# The carried attributes of each preset.
FIELDS: dict[str, tuple[str, ...]] = {"sglang": ("http_worker_ipc",)}
