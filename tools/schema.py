"""Keeps the JSON schema of the config, which is part of the package, current.

usage: python tools/schema.py           write it
       python tools/schema.py --check   exit 1 if it is not current
"""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path

from ipc_lint.config import schema

FILE = Path(inspect.getfile(schema)).with_name("schema.json")


def current() -> str:
    """The text of the file as it should be."""
    return json.dumps(schema.SCHEMA, indent=2) + "\n"


def main(*args: str) -> int:
    """Write or check; the exit code."""
    if args == ("--check",):
        return int(not FILE.exists() or FILE.read_text(encoding="utf-8") != current())
    FILE.write_text(current(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
