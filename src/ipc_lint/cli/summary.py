"""What a run came to, in a line; and its findings counted by rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ipc_lint.model import Report


def summary(report: Report, seconds: float, fixed: str = "") -> str:
    """The last line of a run; ``fixed`` is what it has to say of fixes."""
    from collections import Counter

    files = count(report.files_checked, "file")
    missed = f"; {count(len(report.problems), 'path')} could not be checked" if report.problems else ""
    if not report.files_checked and not report.problems:
        return nothing(report)
    if fixed:
        return f"{fixed} in {files} ({seconds:.2f} s){missed}"
    if report.unknown_fields and not report.findings:
        return f"{_unknown(report)}{missed}"
    if not report.findings:
        return f"No lost addresses in {files} ({seconds:.2f} s){missed}"
    grades = Counter(finding.severity for finding in report.findings)
    split = ", ".join(count(grades[kind], kind) for kind in ("error", "warning") if grades[kind])
    return f"Found {count(len(report.findings), 'fault')} ({split}) in {files} ({seconds:.2f} s){missed}"


def nothing(report: Report) -> str:
    """Why there is nothing to show."""
    if not report.files_checked:
        return "No Python files found"
    if report.unknown_fields:
        return _unknown(report)
    return f"No site of the field in {count(report.files_checked, 'file')}"


def _unknown(report: Report) -> str:
    names, files = ", ".join(report.unknown_fields), count(report.files_checked, "file")
    return f"Nothing to check: no class declares {names} in {files} (another field? --field NAME)"


def statistics(report: Report) -> str:
    """The number of findings of each rule, the most frequent first."""
    from collections import Counter

    counts = Counter((finding.code, finding.name) for finding in report.findings)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return "".join(f"{n:>5}  {code}  {name}\n" for (code, name), n in ranked)


def count(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
