"""Whether a file may make objects of some classes that another module has.

Nothing is parsed: this decides which files are. What is in doubt counts as a use; an annotation, a class
test, a string and a comment make no object.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator
from itertools import chain, islice
from keyword import kwlist
from typing import NamedTuple

from ipc_lint.needles import places

# A letter of a name; a space, or the end of a line that goes on.
_LETTER, _GAP = rb"[\w\x80-\xff]", rb"(?:\s|\\[\r\n])"
# So many bytes are looked at before a place and in an import; so many parentheses in one another, dots in a
# name, and places where one stands. What has more counts as a use.
_CLOSE, _NEAR, _FAR, _LONGEST, _DEEPEST, _MOST = 100, 300, 1000, 20_000, 20, 500


def _pattern(text: bytes) -> re.Pattern[bytes]:
    return re.compile(text.replace(b"LETTER", _LETTER).replace(b"GAP", _GAP))


_NAME = _pattern(rb"LETTER+")
_LETTERS = b"".join(_NAME.findall(bytes(range(256))))
# Before and behind the last part of a module's name: `from ..package.` and ` import (a, b as c)`.
_FROM = _pattern(rb"from(?:GAP+|(?=\.))((?:\.GAP*)*)((?:LETTER+GAP*\.GAP*)*)")
_IMPORT = _pattern(rb"GAP*importGAP*(\((?:[^)#]|#[^\r\n]*)*|\*|(?:[^\r\n\\;#]|\\[\r\n]+)*)")
# Before ` import a, b`: a package that the file is in. It begins with a word, which is found at once.
_AROUND = _pattern(rb"fromGAP*((?:\.GAP*)+)(?=import)")
_CALLED, _RENAMED = _pattern(rb"(?:GAP|\)|#[^\r\n]*(?![^\r\n]))*\("), _pattern(rb"GAP+as\b")
_CLOSED = re.compile(rb"[\s,]*\)")
_ENDED = re.compile(rb"\s*[,}\]]")
_TEXT = rb"\"(?:[^\"\\\r\n]|\\.)*\"|'(?:[^'\\\r\n]|\\.)*'"
_STRING, _CODE = re.compile(_TEXT), re.compile(rb"(?:%b|[^#\"'])*" % _TEXT)
_BRACKET = re.compile(rb"%b|#[^\r\n]*|[()\[\]{}]" % _TEXT)
_DOCSTRING = re.compile(rb"\s*[rRbBuU]*(?:\"\"\"\w[^\"]*|'''\w[^']*)")
_TRIPLE = (b'"""', b"'''")
_KEYWORDS = frozenset(word.encode() for word in kwlist)
# Behind these words a value stands that goes on; in the parentheses of those nothing is made.
_GIVING = frozenset(b"return yield from else or and in await".split())
_TESTING = frozenset(b"isinstance issubclass cast except".split())


class _Import(NamedTuple):
    """``from dotted import names``, with so many leading dots, and where the names stand."""

    dotted: str
    level: int
    names: set[bytes]
    begin: int
    end: int


def is_used(data: bytes, name: bytes) -> bool:
    """Whether something of that name, a method as a rule, may be called or handed on."""
    return _is_any(data, name, lambda start, end: _makes(data, _dotted_from(data, start), end))


def uses(
    path: str,
    data: bytes,
    last: bytes,
    names: Collection[bytes],
    is_meant: Callable[[str, int], bool],
    *,
    is_package: bool = False,
) -> bool:
    """Whether a file takes one of some classes from a module and may call it or hand it on.

    ``last`` is the last part of the module's name; ``is_meant`` tells of a dotted name with so many leading
    dots whether it leads from this file to the module. ``is_package``: dots alone may lead there.
    """
    around = _imports_from_around(data) if is_package else ()
    found = list(islice(chain(_imports(data, last), around), _MOST))
    if len(found) == _MOST:
        return True
    mine = [one for one in found if one is not None and is_meant(one.dotted, one.level)]
    imported = {name for one in mine for name in one.names}
    if b"*" in imported or (os.path.basename(path) == "__init__.py" and not imported.isdisjoint(names)):
        return True
    lists = [range(one.begin, one.end) for one in mine]
    if any(_is_used_as_imported(data, name, lists) for name in imported.intersection(names)):
        return True
    # `import package.module`, `from package import module`: whatever it is called then.
    return None in found and any(_is_used_of_a_module(data, name) for name in names)


def _imports(data: bytes, last: bytes) -> Iterator[_Import | None]:
    """The imports from modules with that last part; None for each time that it stands elsewhere."""
    for start, end in _alone(data, last):
        head, tail = _from(data, start), _IMPORT.match(data, end, end + _LONGEST)
        if head is None or tail is None:
            yield None
        else:
            dotted = re.sub(rb"[\s\\]", b"", head[2]) + last
            yield _import(dotted, head[1], tail)


def _imports_from_around(data: bytes) -> Iterator[_Import]:
    """The imports from a package that the file is in, by dots alone."""
    for head in _AROUND.finditer(data):
        tail = _IMPORT.match(data, head.end(), head.end() + _LONGEST)
        if tail is not None:
            yield _import(b"", head[1], tail)


def _from(data: bytes, end: int) -> re.Match[bytes] | None:
    """The beginning of an import up to the last part of the module's name."""
    begin = end
    for _ in range(_DEEPEST):  # a package may be called from_here
        begin = data.rfind(b"from", max(end - _NEAR, 0), begin)
        head = _FROM.fullmatch(data, begin, end) if begin >= 0 else None
        if head is not None or begin < 0:
            return head
    return None


def _import(dotted: bytes, dots: bytes, tail: re.Match[bytes]) -> _Import:
    is_whole = tail[1] != b"*" and tail.end() - tail.pos < _LONGEST
    words = set(_NAME.findall(tail[1])) if is_whole else {b"*"}
    return _Import(dotted.decode("utf-8", "replace"), dots.count(b"."), words, *tail.span(1))


def _is_used_as_imported(data: bytes, name: bytes, lists: Collection[range]) -> bool:
    """Whether a name that was imported in one of some lists may be called or handed on."""

    def is_use(start: int, end: int) -> bool:
        if any(start in one for one in lists):
            return _RENAMED.match(data, end) is not None
        # In the line before, a dot may be the full stop of a note.
        before = data[max(start - _NEAR, 0) : start].rstrip(b" \t\f")
        return not before.endswith(b".") and _makes(data, start, end)

    return _is_any(data, name, is_use)


def _is_used_of_a_module(data: bytes, name: bytes) -> bool:
    """The same of ``module.name``."""

    def is_use(start: int, end: int) -> bool:
        begin = _dotted_from(data, start)
        return begin < start and _makes(data, begin, end)

    return _is_any(data, name, is_use)


def _is_any(data: bytes, name: bytes, is_use: Callable[[int, int], bool]) -> bool:
    """Whether one of the places where a name stands is a use; where there are too many, one will be."""
    found = enumerate(_alone(data, name))
    return any(number == _MOST or is_use(start, end) for number, (start, end) in found)


def _alone(data: bytes, name: bytes) -> Iterator[tuple[int, int]]:
    """Where a name stands that is no part of a longer one."""
    for start in places(data, name):
        end = start + len(name)
        if not (_NAME.match(data, start - 1, start) or _NAME.match(data, end, end + 1)):
            yield start, end


def _before(data: bytes, place: int) -> int:
    """Where what stands before a place ends, spaces and notes left out."""
    for _ in range(_DEEPEST):
        near = max(place - _NEAR, 0)
        end = near + len(data[near:place].rstrip(b" \t\f\r\n\\"))
        gap = data[end:place]
        note = _note_at(data, end) if b"\n" in gap or b"\r" in gap else -1
        if note < 0:
            return end
        place = note
    return place


def _note_at(data: bytes, place: int) -> int:
    """Where the note begins that a place is surely in; -1 for none."""
    begin = _line_begin(data, place)
    if begin < 0:
        return -1
    code = _CODE.match(data, begin, place)
    end = code.end() if code is not None else begin
    # A line that begins in a string holds the end of it.
    is_note = data[end : min(end + 1, place)] == b"#" and not any(q in data[end:place] for q in _TRIPLE)
    return end if is_note else -1


def _line_begin(data: bytes, place: int) -> int:
    """Where the line of a place begins; -1 where that is too far away."""
    far = max(place - _FAR, 0)
    found = max(data.rfind(b"\n", far, place), data.rfind(b"\r", far, place))
    return -1 if found < 0 and far else found + 1


def _word_before(data: bytes, place: int) -> bytes:
    """The word that ends at a place; empty where none does."""
    near = data[max(place - _NEAR, 0) : place]
    return near[len(near.rstrip(_LETTERS)) :]


def _dotted_from(data: bytes, start: int) -> int:
    """Where a dotted name begins whose last part begins at a place."""
    for _ in range(_DEEPEST):
        dot = _before(data, start)
        end = _before(data, dot - 1) if data[dot - 1 : dot] == b"." else 0
        word = _word_before(data, end)
        if not word:
            break
        start = end - len(word)
    return start


def _makes(data: bytes, start: int, end: int) -> bool:
    """Whether a class that is named from ``start`` to ``end`` may be called there, or handed on."""
    if _note_at(data, start) >= 0:
        return False
    if _CALLED.match(data, end) or _RENAMED.match(data, end):
        return True
    line = data[max(_line_begin(data, start), start - _FAR, 0) : start]
    left = _STRING.sub(b"", line)  # without the strings that end before the name
    if b'"' in left or b"'" in left:
        # A quoted annotation, a docstring; but where the line may begin in a string, nobody knows.
        is_open = not any(quotes in line for quotes in _TRIPLE) or _DOCSTRING.fullmatch(line)
        return not is_open or _is_type(data, _opened(data, start))
    return _is_given(data, start, end)


def _is_given(data: bytes, start: int, end: int) -> bool:
    """Whether an expression goes anywhere but into a test or a type."""
    for _ in range(_DEEPEST):
        before = _before(data, start)
        # Before a dot there is more than a name then: a call, an item.
        if data[before - 1 : before] in (b"=", b".") or _goes_on(data, before):
            return True
        opened = _opened(data, start)
        if opened < 0:
            # If the bracket is too far away, a comma is all that there is of it.
            return data[before - 1 : before] == b"," or _ENDED.match(data, end) is not None
        head_end = _before(data, opened)
        word = _word_before(data, head_end)
        goes_on = data[head_end - 1 : head_end] in (b"]", b")")
        if data[opened : opened + 1] != b"(":
            is_item = data[opened : opened + 1] == b"[" and (goes_on or (word and word not in _KEYWORDS))
            return not is_item or _is_type(data, opened)  # what is in brackets is a type as a rule
        if goes_on:
            return True  # the call of what a call gives; `class Mine[T](Job)`
        head = _word_before(data, _before(data, head_end - len(word))) if word else b""
        if word in _TESTING or head == b"def":
            return False
        if word and (head_end == opened or word in _GIVING or head == b"class"):
            return True
        closed = _CLOSED.match(data, end)
        start, end = opened, end if closed is None else closed.end()  # a tuple, or nothing but parentheses
    return True


def _is_type(data: bytes, opened: int) -> bool:
    """Whether a bracket is in that of ``type[...]``, which is a class that somebody gives."""
    for _ in range(_DEEPEST):
        if data[opened : opened + 1] != b"[":
            return False
        if _word_before(data, _before(data, opened)) in (b"type", b"Type"):
            return True
        opened = _opened(data, opened)
    return True


def _goes_on(data: bytes, end: int) -> bool:
    """Whether what ends here gives the value behind it to somebody: ``return``, ``lambda:``."""
    if data[end - 1 : end] == b":":
        begin = data.rfind(b"lambda", max(end - _NEAR, 0), end)
        return begin >= 0 and b":" not in data[begin : end - 1]
    return _word_before(data, end) in _GIVING


def _opened(data: bytes, place: int) -> int:
    """Where the bracket is that a place stands in; -1 for none."""
    for far in (max(place - _CLOSE, 0), max(place - _FAR, 0)):  # it is near as a rule
        begin = data.find(b"\n", far, place) + 1 if far else 0
        opened = _opened_from(data, begin or far, place)
        if opened >= 0 or not far:
            return opened
    return -1


def _opened_from(data: bytes, begin: int, place: int) -> int:
    closed = 0
    for found in reversed(list(_BRACKET.finditer(data, begin, place))):
        if found[0] in (b")", b"]", b"}"):
            closed += 1
        elif found[0] not in (b"(", b"[", b"{"):
            continue  # a string, a note
        elif closed:
            closed -= 1
        else:
            return found.start()
    return -1
