"""Where the keys of a TOML text stand. Its parser does not say, but it can be asked line by line."""

from __future__ import annotations

from collections.abc import Iterator

from ipc_lint.files.toml import NotToml, parse

Keys = tuple[str, ...]


class Lines:
    """The lines of every key: one stands where the text up to there first has it."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        self._spans: dict[Keys, tuple[int, int]] = {}
        begin = 1
        for number in range(1, len(self._lines) + 1):
            try:
                so_far = parse("\n".join(self._lines[:number]) + "\n")
            except NotToml:
                continue  # in the middle of a value
            for keys in _keys(so_far):
                self._spans.setdefault(keys, (self._first(begin, number), number))
            begin = number + 1

    def of(self, keys: Keys, value: object = None) -> int:
        """The line of a key, or of a string in its list."""
        while keys and keys not in self._spans:
            keys = keys[:-1]
        first, last = self._spans.get(keys, (1, 1))
        if isinstance(value, str):
            for number in range(first, last + 1):
                if f'"{value}"' in self._lines[number - 1] or f"'{value}'" in self._lines[number - 1]:
                    return number
        return first

    def _first(self, begin: int, end: int) -> int:
        """The first of some lines that says anything."""
        said = (n for n in range(begin, end + 1) if self._lines[n - 1].strip()[:1] not in ("", "#"))
        return next(said, end)


def _keys(table: dict[str, object], above: Keys = ()) -> Iterator[Keys]:
    for key, value in table.items():
        yield (*above, key)
        if isinstance(value, dict):
            yield from _keys(value, (*above, key))
