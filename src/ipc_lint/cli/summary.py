"""What a run came to, in a line; and its findings counted by rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ipc_lint.fix import Fixed
    from ipc_lint.model import Report


def summary(report: Report, seconds: float, fixed: str = "") -> str:
    """The last line of a run; ``fixed`` is what it has to say of fixes."""
    from collections import Counter

    files = count(report.files_checked, "file")
    if not report.files_checked:
        return "Nothing could be checked" if report.problems else nothing(report)
    missed = f"; {count(len(report.problems), 'path')} could not be checked" if report.problems else ""
    missed = f"{_silent(report)}{missed}"
    if report.unknown_fields and not report.findings and not fixed:
        return f"{_unknown(report)}{missed}"
    if report.unknown_fields:
        missed += f"; no class declares {', '.join(report.unknown_fields)}"
    if fixed:
        return f"{fixed}, {files} checked ({seconds:.2f} s){missed}"
    if not report.findings:
        new = "new " if report.known else ""
        return f"No {new}lost addresses in {files} ({seconds:.2f} s){missed}"
    grades = Counter(finding.severity for finding in report.findings)
    split = ", ".join(count(grades[kind], kind) for kind in ("error", "warning") if grades[kind])
    return (
        f"Found {count(len(report.findings), 'fault')} ({split}), {files} checked ({seconds:.2f} s){missed}"
    )


def fixes(fixed: Fixed, failed: int, options: dict[str, Any]) -> str:
    """What a run has to say of fixes, or of comments in their place; ``failed`` could not be written.

    Nothing where there was nothing to fix.
    """
    if not fixed.count and not fixed.report.findings and not failed:
        return ""
    done = 0 if failed else fixed.count
    if options["add_ignores"]:
        verb = "Would silence" if options["diff"] else "Silenced"
    else:
        verb = "Would fix" if options["diff"] else "Fixed"
    said = f"{verb} {done} of {count(fixed.count + len(fixed.report.findings), 'fault')}"
    return f"{said} ({fixed.unsafe} more with --unsafe-fixes)" if fixed.unsafe else said


def _silent(report: Report) -> str:
    """How much was found and is not shown."""
    parts = [f"{len(report.suppressed)} suppressed"] if report.suppressed else []
    parts += [f"{report.known} in the baseline"] if report.known else []
    return f"; {', '.join(parts)}" if parts else ""


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
