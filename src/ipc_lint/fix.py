"""Applies fixes: choose, edit, prove, and only then write.

A new text is accepted if it parses, if its tree is the old tree plus the change that the fixes speak
of, and if a check of it finds nothing new and no longer what was fixed.
"""

from __future__ import annotations

import difflib
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ipc_lint.depth import at_full_depth
from ipc_lint.files.source import Source, Unreadable
from ipc_lint.model import Edit, Finding, Problem, Report
from ipc_lint.proof import COMMENT, changes
from ipc_lint.suppress.add import with_ignores

Check = Callable[[Mapping[str, bytes]], Report]
# Fixes may make room for further ones; more rounds than this would be a fault of ours.
_ROUNDS = 4
_NO_NEWLINE = b"\\ No newline at end of file"


class Fixed(Struct, frozen=True):
    """What fixing came to: the last report, the new contents by path, and how many faults are gone."""

    report: Report
    contents: dict[str, tuple[bytes, bytes]]  # by absolute path: what was checked, what it becomes
    count: int
    unsafe: int  # findings whose fix was left out because it is unsafe


def apply(check: Check, *, unsafe: bool, given: Mapping[str, bytes] | None = None) -> Fixed:
    """Fix what can be fixed, in memory. ``check`` checks with some files' contents replaced.

    ``given`` are contents to begin with in place of what is in the files of those (absolute) paths.
    """
    contents = dict(given or {})
    originals = dict(contents)
    refused: dict[tuple[str, str], str] = {}
    report = check(contents)
    first = len(report.findings)
    for _ in range(_ROUNDS):
        wanted = [f for f in report.findings if _applies(f, unsafe) and _key(f) not in refused]
        new = _edited(wanted, contents, originals, refused)
        if not new:
            break
        report = _accepted(check, report, wanted, contents, new, refused)
    findings = tuple(_annotated(f, refused) for f in report.findings)
    report = replace(report, findings=findings)
    left_out = sum(f.fix is not None and f.fix.applicability == "unsafe" for f in findings)
    changed = {path: (originals[path], data) for path, data in contents.items() if data != originals[path]}
    return Fixed(report, changed, first - len(findings), 0 if unsafe else left_out)


def silence(check: Check, *, given: Mapping[str, bytes] | None = None) -> Fixed:
    """Silence every finding by a comment, in memory, in the same way as fixes are made."""

    def checked(contents: Mapping[str, bytes]) -> Report:
        return with_ignores(check(contents), lambda path: _source(path, contents))

    return apply(checked, unsafe=False, given=given)


def _applies(finding: Finding, unsafe: bool) -> bool:
    return finding.fix is not None and (unsafe or finding.fix.applicability == "safe")


def _key(finding: Finding) -> tuple[str, str]:
    return finding.path, finding.fingerprint


def _annotated(finding: Finding, refused: Mapping[tuple[str, str], str]) -> Finding:
    why = refused.get(_key(finding))
    return finding if why is None else replace(finding, fix=None, help=f"{finding.help} (not fixed: {why})")


def _edited(
    wanted: Iterable[Finding],
    contents: Mapping[str, bytes],
    originals: dict[str, bytes],
    refused: dict[tuple[str, str], str],
) -> dict[str, bytes]:
    """The new contents of every file that the wanted fixes change, proven by their trees."""
    by_path: dict[str, list[Finding]] = {}
    for finding in wanted:
        by_path.setdefault(finding.path, []).append(finding)
    new: dict[str, bytes] = {}
    for path, findings in by_path.items():
        source = _source(path, contents)
        originals.setdefault(source.path, source.data)
        chosen = _without_overlaps(findings)
        edits = {edit for f in chosen if f.fix is not None for edit in f.fix.edits}
        data = edited(source, edits)
        kinds = Counter(f.fix.kind for f in chosen if f.fix is not None and f.fix.kind != COMMENT)
        why = _unproven(source, Source(path, data), kinds)
        if why is None:
            new[path] = data
        else:
            refused.update({_key(f): why for f in chosen})
    return new


def _source(path: str, contents: Mapping[str, bytes]) -> Source:
    full = os.path.abspath(path)
    return Source(full, contents[full]) if full in contents else Source.read(full)


def _without_overlaps(findings: Sequence[Finding]) -> list[Finding]:
    """The fixes that can be made at once; what overlaps has its turn in the next round."""
    chosen: list[Finding] = []
    taken: list[Edit] = []
    for finding in sorted(findings, key=lambda f: f.span):
        edits = finding.fix.edits if finding.fix is not None else ()
        if not any(_overlap(mine, other) for mine in edits for other in taken):
            chosen.append(finding)
            taken.extend(edits)
    return chosen


def _overlap(one: Edit, other: Edit) -> bool:
    if one == other:
        return False  # two rules that want the same give it once
    start = max((one.span.line, one.span.column), (other.span.line, other.span.column))
    end = min((one.span.end_line, one.span.end_column), (other.span.end_line, other.span.end_column))
    return start <= end


def edited(source: Source, edits: Iterable[Edit]) -> bytes:
    """The bytes of a file after some edits; everything outside them is what it was."""
    lines = source.lines
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    text = source.text
    for edit in sorted(edits, key=lambda e: e.span, reverse=True):
        begin = starts[edit.span.line - 1] + edit.span.column - 1
        end = starts[edit.span.end_line - 1] + edit.span.end_column - 1
        text = text[:begin] + edit.content + text[end:]
    return source.encode(text)


def _unproven(old: Source, new: Source, kinds: Counter[str]) -> str | None:
    """Why a new text can't be trusted, or None."""
    try:
        with at_full_depth():
            found = Counter(changes(old.parse(), new.parse()))
    except Unreadable:
        return "the result would not parse"
    except RecursionError:
        return "the file is nested too deeply for the change to be proven"
    return None if found == kinds else "more than was meant would change"


def _accepted(
    check: Check,
    before: Report,
    wanted: Iterable[Finding],
    contents: dict[str, bytes],
    new: Mapping[str, bytes],
    refused: dict[tuple[str, str], str],
) -> Report:
    """Take the new contents that a check confirms; the report of what is then there."""
    proposed = {os.path.abspath(path): data for path, data in new.items()}
    after = check({**contents, **proposed})
    for path in new:
        fixed = [f for f in wanted if f.path == path]
        had, has = ([f for f in report.findings if f.path == path] for report in (before, after))
        # What becomes superfluous by a fix, such as a suppression, is a comment and no new fault.
        appeared = Counter(_identity(f) for f in has if not _is_of_comment(f)) - Counter(map(_identity, had))
        if appeared or not Counter(map(_identity, had)) - Counter(map(_identity, has)):
            del proposed[os.path.abspath(path)]
            refused.update({_key(f): "a check of the result would still find a fault" for f in fixed})
    contents.update(proposed)
    return check(contents) if len(proposed) < len(new) else after


def _is_of_comment(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.kind == COMMENT


def _identity(finding: Finding) -> tuple[str, str, str, str]:
    return finding.path, finding.code, finding.symbol, finding.message


def diff(path: str, old: bytes, new: bytes) -> bytes:
    """The unified diff of a file's old and new contents, as bytes that `git apply` takes."""
    name = path.encode("utf-8", "surrogateescape")
    # Lines as git and patch see them: only a line feed ends one.
    before, after = _lines(old), _lines(new)
    lines = difflib.diff_bytes(difflib.unified_diff, before, after, b"a/" + name, b"b/" + name)
    return b"".join(line if line.endswith(b"\n") else line + b"\n" + _NO_NEWLINE + b"\n" for line in lines)


def _lines(data: bytes) -> list[bytes]:
    parts = data.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def write(path: str, old: bytes, new: bytes) -> Problem | None:
    """Replace a file's contents, or say why not. At every moment the file is either old or new.

    Links are followed; the mode stays. A file that no longer is what was checked is left alone.
    """
    target = os.path.realpath(path)
    try:
        with open(target, "rb") as file:
            if file.read() != old:
                return Problem(path, "changed while it was checked: not fixed")
        if not os.access(target, os.W_OK):
            return Problem(path, "cannot be written: not fixed")
        _replace(target, new)
    except OSError as error:
        return Problem(path, f"cannot be written: {error.strerror or error}")
    return None


def put(path: str, new: bytes) -> Problem | None:
    """Write a file, new or not, or say why not. At every moment it is either old or new."""
    try:
        _replace(os.path.realpath(path), new)
    except OSError as error:
        return Problem(path, f"cannot be written: {error.strerror or error}")
    return None


def _replace(target: str, new: bytes) -> None:
    mode = os.stat(target).st_mode if os.path.exists(target) else 0o644
    handle, temporary = tempfile.mkstemp(prefix=".ipc-lint-", dir=os.path.dirname(target))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(new)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode & 0o7777)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
