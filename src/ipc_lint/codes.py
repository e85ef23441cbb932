"""The codes and names of the rules: what a word may mean, known without loading a rule.

The rules load libcst, which takes longer than all that is asked here. A test holds that they agree.
"""

from __future__ import annotations

CODES: dict[str, str] = {
    "IPC001": "dropped-field",
    "IPC002": "none-field",
    "IPC003": "wrong-origin",
    "IPC101": "send-without-origin",
    "IPC102": "unroutable-send",
    "IPC201": "gate-on-wrong-object",
    "IPC202": "overwritten-route",
    "IPC301": "copy-drops-field",
    "IPC302": "batch-items-unstamped",
    "IPC401": "stamped-too-late",
    "IPC901": "unused-suppression",
    "IPC902": "unknown-suppression",
}
PREFIX = "IPC"
UNUSED, UNKNOWN = "IPC901", "IPC902"
# The rules about comments; all others are about code.
ABOUT_COMMENTS = frozenset([UNUSED, UNKNOWN])


def _words() -> tuple[str, ...]:
    prefixes = {code[:end] for code in CODES for end in range(len(PREFIX), len(code) + 1)}
    return (*sorted(prefixes), *CODES.values())


WORDS: tuple[str, ...] = _words()
"""All that can be said for a rule or several: codes, prefixes of codes, names."""


def means(word: str, code: str) -> bool:
    """Whether a code, a prefix of codes or a name stands for a rule (perhaps among others)."""
    return word in WORDS and (code.startswith(word) or CODES.get(code) == word)


def codes_of(word: str) -> frozenset[str]:
    """The codes that a word stands for; none for a word that is unknown."""
    return frozenset(code for code in CODES if means(word, code))


def _number(code: str) -> str:
    """The number of a code, however many zeros it begins with; nothing for what is no code."""
    digits = code.removeprefix(PREFIX)
    return digits.lstrip("0") if digits.isdecimal() and digits != code else ""


_BY_NUMBER = {_number(code): code for code in CODES}


def guess(word: str) -> str:
    """The word that was meant, perhaps; or nothing."""
    number = _number(word.strip().upper())
    if number in _BY_NUMBER:
        return _BY_NUMBER[number]  # IPC01: what looks most like it may be another
    import difflib  # few misspell one

    near = difflib.get_close_matches(word.strip(), WORDS, 1) or difflib.get_close_matches(
        word.strip().upper(), WORDS, 1
    )
    return near[0] if near else ""
