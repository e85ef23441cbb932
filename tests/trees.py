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


def files_of(root: Path) -> list[Path]:
    """Every file below a folder but for what ipc-lint remembers there."""
    return [p for p in sorted(root.rglob("*")) if p.is_file() and ".ipc_lint_cache" not in p.parts]
