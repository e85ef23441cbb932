"""Which rules hold for a file, and how bad what they find is."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ipc_lint.codes import CODES, means
from ipc_lint.files.ignore import matches
from ipc_lint.model import Finding
from ipc_lint.settings import Settings


class Selection:
    """The choice of rules that some settings make; what holds for a file is worked out once."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._by_path: dict[str, frozenset[str]] = {}

    def codes(self, path: str) -> frozenset[str]:
        """The codes of the rules that hold for a file."""
        if path not in self._by_path:
            settings = self._settings
            ignored = list(settings.ignore)
            for pattern, words in settings.per_file_ignores:
                if matches(pattern, path):
                    ignored += words
            self._by_path[path] = frozenset(
                code
                for code in CODES
                if (not settings.select or _named(code, settings.select)) and not _named(code, ignored)
            )
        return self._by_path[path]

    def of(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings of rules that hold for their files, as bad as the settings say."""
        return [self._graded(finding) for finding in findings if finding.code in self.codes(finding.path)]

    def _graded(self, finding: Finding) -> Finding:
        said = [(word, grade) for word, grade in self._settings.severity if means(word, finding.code)]
        if not said:
            return finding
        # A name or a whole code says more than a prefix, a longer prefix more than a shorter one.
        _, grade = max(said, key=lambda item: (item[0] in CODES.values(), len(item[0])))
        return replace(finding, severity=grade)


def _named(code: str, words: Iterable[str]) -> bool:
    return any(means(word, code) for word in words)
