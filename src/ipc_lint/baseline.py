"""Known findings: a file of fingerprints that are not reported again.

A finding is known by its fingerprint, whatever its line and file; of equal ones as many as are listed.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from ipc_lint.model import Finding

DEFAULT_NAME = "ipc-lint-baseline.json"
_VERSION = 1


class BadBaseline(Exception):
    """A baseline that can't be read; the message says why in one line."""


class Entry(Struct, frozen=True, order=True):
    """A known finding; ``path`` (absolute) and ``symbol`` only say where it was."""

    path: str
    code: str
    symbol: str
    fingerprint: str


class Baseline(Struct, frozen=True):
    """The known findings of one file."""

    path: str
    entries: tuple[Entry, ...]

    def split(self, findings: Iterable[Finding]) -> tuple[list[Finding], list[Finding], list[Entry]]:
        """The findings that are new, those that are known, and the entries that nothing was found for."""
        left = Counter(entry.fingerprint for entry in self.entries)
        # Of several with one fingerprint those are known that are where one was.
        places = {(entry.path, entry.fingerprint) for entry in self.entries}
        new: list[Finding] = []
        known: list[Finding] = []
        for finding in sorted(
            findings, key=lambda f: ((f.path, f.fingerprint) not in places, f.path, f.span)
        ):
            if left[finding.fingerprint] > 0:
                left[finding.fingerprint] -= 1
                known.append(finding)
            else:
                new.append(finding)
        return new, known, list(self._stale(left, known))

    def _stale(self, left: Counter[str], known: Iterable[Finding]) -> Iterable[Entry]:
        """The entries that are left over: of equal ones those whose place is empty."""
        there = Counter((finding.path, finding.fingerprint) for finding in known)
        for entry in self.entries:
            place = entry.path, entry.fingerprint
            if there[place] > 0:
                there[place] -= 1
            elif left[entry.fingerprint] > 0:
                left[entry.fingerprint] -= 1
                yield entry


def load(path: str) -> Baseline:
    """Read a baseline; BadBaseline if there is none."""
    name = os.path.relpath(path)
    try:
        with open(path, encoding="utf-8") as file:
            whole: Any = json.load(file)
    except FileNotFoundError:
        raise BadBaseline(f"no baseline at {name} (`ipc-lint baseline` writes one)") from None
    except OSError as error:
        raise BadBaseline(f"{name}: cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise BadBaseline(f"{name}: not JSON") from None
    folder = os.path.dirname(os.path.abspath(path))
    if not isinstance(whole, dict) or whole.get("version") != _VERSION:
        raise BadBaseline(f"{name}: not a baseline of version {_VERSION}")
    try:
        entries = tuple(entry for item in whole["findings"] for entry in _entries(item, folder))
    except (KeyError, TypeError, AttributeError):
        raise BadBaseline(f"{name}: not a baseline: see what `ipc-lint baseline` writes") from None
    return Baseline(os.path.abspath(path), entries)


def _entries(item: dict[str, Any], folder: str) -> list[Entry]:
    where = os.path.normpath(os.path.join(folder, item["path"]))
    entry = Entry(where, str(item["code"]), str(item["symbol"]), str(item["fingerprint"]))
    return [entry] * int(item.get("count", 1))


def dump(findings: Iterable[Finding], path: str) -> str:
    """The text of a baseline at a path: the same findings give the same text, on every machine."""
    folder = os.path.dirname(os.path.abspath(path))
    counts = Counter(
        Entry(_relative(os.path.abspath(f.path), folder), f.code, f.symbol, f.fingerprint) for f in findings
    )
    listed = [
        {
            "path": entry.path,
            "code": entry.code,
            "symbol": entry.symbol,
            "fingerprint": entry.fingerprint,
            **({"count": number} if number > 1 else {}),
        }
        for entry, number in sorted(counts.items())
    ]
    return json.dumps({"version": _VERSION, "findings": listed}, indent=2) + "\n"


def is_asked(path: str, asked: Iterable[str], is_checked: Callable[[str], bool]) -> bool:
    """Whether a run over some paths would have found what was once found in a file.

    A file that is gone counts if it was below what is checked now.
    """
    if os.path.exists(path):
        return is_checked(path)
    return any(path == top or path.startswith(top.rstrip(os.sep) + os.sep) for top in asked)


def _relative(path: str, folder: str) -> str:
    try:
        return os.path.relpath(path, folder).replace(os.sep, "/")
    except ValueError:  # another drive
        return path.replace(os.sep, "/")
