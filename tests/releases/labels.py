"""What released sources hold, found by reading them; ``labels.json`` has the facts.

``must`` is a faulty statement: exactly one finding with one of its codes starts in its lines. A finding
in the lines of an ``allowed`` label is no false alarm; any other finding is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Label:
    """One statement of a release."""

    path: str
    function: str
    lines: tuple[int, int]
    why: str
    codes: tuple[str, ...] = ()
    fixed_by: str | None = None

    def covers(self, finding: Mapping[str, Any], package: str) -> bool:
        """Whether a finding of the JSON report starts in the lines of the label."""
        path = package + self.path.removeprefix("sglang")
        return bool(finding["path"] == path and self.lines[0] <= finding["line"] <= self.lines[1])

    def matches(self, finding: Mapping[str, Any], package: str) -> bool:
        """Whether a finding is the fault of the label."""
        named = finding["code"] in self.codes and finding["symbol"] == self.function
        return named and self.covers(finding, package)

    def __str__(self) -> str:
        return f"{self.path}:{self.lines[0]} {'/'.join(self.codes)} in {self.function}: {self.why}"


@dataclass(frozen=True)
class Labels:
    """All statements of a release that matter."""

    must: tuple[Label, ...]
    allowed: tuple[Label, ...]

    def amiss(self, findings: Iterable[Mapping[str, Any]], package: str = "sglang") -> list[str]:
        """How some findings differ from the labels, a line each."""
        known: set[int] = set()
        lines: list[str] = []
        found = list(findings)
        for label in self.must:
            hits = [
                i for i, finding in enumerate(found) if i not in known and label.matches(finding, package)
            ]
            known.update(hits[:1])
            if not hits:
                lines.append(f"missed: {label}")
        known.update(
            i for i, finding in enumerate(found) if any(a.covers(finding, package) for a in self.allowed)
        )
        for i, f in enumerate(found):
            if i not in known:
                lines.append(f"false alarm: {f['path']}:{f['line']} {f['code']} {f['message']}")
        return lines


def _label(facts: dict[str, Any]) -> Label:
    first, last = facts.pop("lines")
    return Label(lines=(first, last), codes=tuple(facts.pop("codes", ())), **facts)


def _read() -> dict[str, Labels]:
    text = Path(__file__).with_name("labels.json").read_text(encoding="utf-8")
    return {
        release: Labels(tuple(map(_label, parts["must"])), tuple(map(_label, parts["allowed"])))
        for release, parts in json.loads(text).items()
    }


LABELS = _read()
