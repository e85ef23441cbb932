"""Small trees of files for tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below ``root``: name to content."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def touch(root: Path, *names: str) -> Path:
    """Write empty files below ``root``."""
    return write(root, dict.fromkeys(names, ""))
