"""Keeps the table of rules in README.md current.

usage: python tools/readme.py           write it
       python tools/readme.py --check   exit 1 if it is not current
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

from ipc_lint.rules import RULES

README = Path(__file__).resolve().parent.parent / "README.md"
BEGIN, END = "<!-- rules: python tools/readme.py -->\n", "<!-- end of rules -->\n"


def table() -> str:
    """A line for each rule: code, name, what it reports."""
    lines = ["| code | name | what it reports |", "|---|---|---|"]
    lines += [
        f"| {rule.code} | `{rule.name}` | {(inspect.getdoc(rule) or '').splitlines()[0]} |" for rule in RULES
    ]
    return "\n".join(lines) + "\n"


def current(text: str) -> str:
    """The text with the table as it should be."""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"no place marked for the table of rules: {BEGIN.strip()} ... {END.strip()}")
    return f"{head}{begin}{table()}{end}{tail}"


def main(*args: str) -> int:
    """Write or check; the exit code."""
    old = README.read_text(encoding="utf-8")
    new = current(old)
    if args == ("--check",):
        return int(old != new)
    README.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
