"""What of the findings is shown: rules that hold, no suppression, not known, changed since a revision."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from ipc_lint.files.source import Source
from ipc_lint.model import Finding
from ipc_lint.part import Part
from ipc_lint.presets import fields_of
from ipc_lint.remember import Checked
from ipc_lint.selection import Selection
from ipc_lint.suppress.apply import Remark, Suppressions
from ipc_lint.suppress.words import may_silence

if TYPE_CHECKING:
    from ipc_lint.baseline import Baseline, Entry
    from ipc_lint.since import Since


class Sifted(Struct):
    """The findings by what becomes of them; paths are absolute."""

    shown: list[Finding] = field(default_factory=list)
    suppressed: list[Finding] = field(default_factory=list)
    known: list[Finding] = field(default_factory=list)
    stale: list[Entry] = field(default_factory=list)


class Sieve:
    """Takes the findings of one project after the other, and then says what is left."""

    def __init__(self, asked: Iterable[str], since: Since | None) -> None:
        self._asked = [os.path.abspath(path) for path in asked]
        self._since = since
        self._sifted = Sifted()
        self._by_baseline: dict[str, list[Finding]] = {}
        self._files: dict[str, dict[str, frozenset[str]]] = {}  # by baseline: the rules that hold by file
        self._loaded: dict[str, Baseline] = {}

    def take(self, part: Part, checked: Checked) -> None:
        """Take what was found in the files of a project that were asked for."""
        settings = part.settings
        if settings.baseline is not None and settings.baseline not in self._loaded:
            from ipc_lint.baseline import load

            self._loaded[settings.baseline] = load(settings.baseline)
        unread = {problem.path for problem in (*part.unread, *checked.problems)}
        selection = Selection(settings)
        shown = self._unsuppressed(part, checked, selection, unread)
        if settings.baseline is None:
            self._sifted.shown += shown
            return
        self._by_baseline.setdefault(settings.baseline, []).extend(shown)
        rules = self._files.setdefault(settings.baseline, {})
        rules.update((path, selection.codes(path)) for path in part.mine if path not in unread)

    def result(self) -> Sifted:
        """What becomes of everything that was taken."""
        for path, findings in self._by_baseline.items():
            new, known, stale = self._loaded[path].split(findings)
            self._sifted.shown += new
            self._sifted.known += known
            self._sifted.stale += [entry for entry in stale if self._was_looked_for(entry, self._files[path])]
        if self._since is not None:
            self._sifted.shown = [f for f in self._sifted.shown if self._since.touches(f)]
        return self._sifted

    def _was_looked_for(self, entry: Entry, rules: dict[str, frozenset[str]]) -> bool:
        from ipc_lint.baseline import is_asked

        if not is_asked(entry.path, self._asked, rules.__contains__):
            return False
        return entry.code in rules.get(entry.path, {entry.code})

    def _unsuppressed(
        self, part: Part, checked: Checked, selection: Selection, unread: Collection[str]
    ) -> list[Finding]:
        """The findings that no comment silences, and those about comments that silence nothing."""
        by_path: dict[str, list[Finding]] = {}
        for finding in selection.of(checked.findings):
            by_path.setdefault(finding.path, []).append(finding)
        # Where no class has the field, nothing could be found that a comment may be there for.
        is_whole = checked.declared >= set(fields_of(part.settings))
        shown: list[Finding] = []
        remarks: list[Remark] = []
        for path in sorted(part.spoken | by_path.keys()):
            data = part.data(path)
            if path not in part.spoken and not may_silence(data):
                shown += by_path.get(path, [])
                continue
            comments = Suppressions(Source(path, data))
            left, silenced = comments.split(by_path.get(path, []))
            shown += left
            self._sifted.suppressed += [replace(f, suppressed=text) for f, text in silenced]
            remarks += comments.remarks(selection.codes(path), is_whole=is_whole and path not in unread)
        return shown + selection.of(_worded(remarks))


def _worded(remarks: Sequence[Remark]) -> list[Finding]:
    if not remarks:
        return []
    from ipc_lint.rules import RULES, AboutComments  # loads libcst: only where there is something to show

    speakers = [rule() for rule in RULES if issubclass(rule, AboutComments)]
    return [finding for remark in remarks for rule in speakers for finding in rule.about(remark)]
