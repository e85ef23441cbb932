"""Which files hold which words: a search over all bytes, in as few passes as the questions allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ipc_lint.files.contents import Contents


class Words:
    """Asks the contents of some files; answers are remembered."""

    def __init__(self, contents: Contents, besides: Iterable[str] = ()) -> None:
        """``besides`` are words that are looked for along with whatever is asked first."""
        self.contents = contents
        self._besides = tuple(besides)
        self._holding: dict[str, list[str]] = {}
        self._known: dict[str, list[str]] = {}  # all but for the files that changed
        self._changed: list[str] = []
        self._begun: tuple[list[str], Callable[[], list[list[str]]]] | None = None

    def know(self, holding: Mapping[str, list[str]], changed: Sequence[str]) -> None:
        """Take over what an earlier run found; only the files that changed are searched for these words."""
        self._known, self._changed = dict(holding), list(changed)

    def begin(self, words: Iterable[str]) -> None:
        """Let helpers begin to look for what will be asked next, while this process is busy."""
        new = self._new(words)
        if new and not self._known and self._begun is None:
            self._begun = new, self.contents.begin([needle(word) for word in new], self._what)

    @property
    def looked_for(self) -> list[str]:
        """Every word that somebody has asked for."""
        return sorted(self._holding)

    def look_for(self, words: Iterable[str]) -> None:
        """Find the files that hold each of some words, in one pass."""
        if self._begun is not None:
            (begun, finish), self._begun = self._begun, None
            self._holding |= dict(zip(begun, finish(), strict=True))
        new = self._new(words)
        known = [word for word in new if word in self._known]
        self._search([word for word in new if word not in self._known], None)
        self._search(known, self._changed)
        for word in known:
            self._holding[word] = sorted([*self._holding[word], *self._known[word]])

    def _new(self, words: Iterable[str]) -> list[str]:
        """Those of some words, and of those besides, that nobody has looked for."""
        return list(dict.fromkeys(w for w in (*words, *self._besides) if w not in self._holding))

    @property
    def _what(self) -> str:
        """What the next pass is called."""
        return "searching" if self._holding else "reading"

    def _search(self, words: Sequence[str], files: Sequence[str] | None) -> None:
        if words:
            held = self.contents.search([needle(word) for word in words], self._what, files)
            self._holding |= dict(zip(words, held, strict=True))

    def holders(self, word: str) -> list[str]:
        """The files that hold a word."""
        if word not in self._holding:
            self.look_for([word])
        return self._holding[word]

    def holding(self, words: Iterable[str]) -> list[str]:
        """The files that hold any of the words."""
        return sorted({path for word in words for path in self.holders(word)})


def least(words: Iterable[str]) -> list[str]:
    """The words without those that hold another one: a batch field's name holds the single one's."""
    wanted = sorted(set(words))
    return [word for word in wanted if not any(other != word and other in word for other in wanted)]


def needle(word: str) -> bytes:
    """A word as it stands in a file."""
    return word.encode("utf-8", "surrogateescape")
