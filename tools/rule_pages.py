"""Keeps docs/rules/ current: a page for each rule, made from its docstring.

usage: python tools/rule_pages.py           write them
       python tools/rule_pages.py --check   exit 1 if they are not current
"""

from __future__ import annotations

import sys
from pathlib import Path

from ipc_lint.report import rule_page
from ipc_lint.rules._documentation import documentation

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "rules"


def pages() -> dict[str, str]:
    """File name to text."""
    docs = documentation()
    lines = ["| code | name | severity | fix | what it reports |", "|---|---|---|---|---|"]
    for doc in docs:
        cells = (
            f"[{doc.code}]({doc.code}.md)",
            f"`{doc.name}`",
            doc.severity,
            doc.fix or "none",
            doc.summary,
        )
        lines.append(f"| {' | '.join(cells)} |")
    note = "Made by `python tools/rule_pages.py` from the rules; `ipc-lint explain CODE` shows the same."
    index = "\n".join(["# The rules", "", *lines, "", note, ""])
    return {"README.md": index, **{f"{doc.code}.md": rule_page.render(doc) for doc in docs}}


def main(*args: str) -> int:
    """Write or check; the exit code. A page without a rule is not current, either."""
    wanted = pages()
    found = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    if args == ("--check",):
        amiss = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))
        for name in amiss:
            print(f"not current: {FOLDER.name}/{name} (python tools/rule_pages.py)", file=sys.stderr)
        return int(bool(amiss))
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in found.keys() - wanted.keys():
        (FOLDER / name).unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
