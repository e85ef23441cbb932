"""Parses and scouts files; where there are many, in several processes at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from msgspec import DecodeError, Struct
from msgspec.msgpack import Decoder, Encoder

from ipc_lint.cache import Cache, hashed
from ipc_lint.crew import Crew
from ipc_lint.facts import At, Body, ModuleFacts, Stmt
from ipc_lint.facts.body import TooDeep, lower_body
from ipc_lint.facts.scout import scout
from ipc_lint.facts.words import Text
from ipc_lint.files.source import Source, Unreadable
from ipc_lint.track import Track
from ipc_lint.turns import MOST, shares

# What is scouted, or lowered, faster than a helper is told to, in bytes.
_WORTH_SHARING = 200_000
_WORTH_LOWERING_ELSEWHERE = 20_000


class Failed(NamedTuple):
    """Why a file can't be scouted."""

    message: str


class Known(Struct):
    """The facts of a file, and the bodies of those of its functions that somebody asked for."""

    facts: ModuleFacts
    bodies: dict[str, tuple[Stmt, ...]] = {}


class Memory:
    """The facts that earlier runs found, by the content of the files that they are about."""

    def __init__(self, cache: Cache | None, stamp: str) -> None:
        """``stamp`` is what else the facts depend on."""
        self._cache = cache
        self._stamp = stamp.encode()
        self._sizes: dict[str, int] = {}

    def load(self, source: Source) -> Known | None:
        """What is known of a file."""
        data = None if self._cache is None else self._cache.load_bytes(self._name(source))
        try:
            known = None if data is None else _decoder().decode(data)
        except (DecodeError, RecursionError):  # of another shape: not ours
            return None
        if known is not None:
            self._sizes[source.path] = len(known.bodies)
        return known

    def store(self, found: Iterable[tuple[Source, Known]]) -> None:
        """Keep what is new."""
        if self._cache is None:
            return
        encode = Encoder().encode
        new = [(s, known) for s, known in found if self._sizes.get(s.path, -1) < len(known.bodies)]
        if new:
            self._cache.store_bytes({self._name(source): encode(known) for source, known in new})

    def _name(self, source: Source) -> str:
        return f"{hashed([self._stamp, source.data])}.facts"


@cache
def _decoder() -> Decoder[Known]:
    return Decoder(Known)


class _Request(NamedTuple):
    """Files to scout; the bodies that hold one of the words are lowered, too."""

    files: Sequence[Source]
    words: Sequence[str]


class Cut(NamedTuple):
    """A function cut out of its file: its lines, their place, and its qualified name."""

    text: str
    at: At
    qualname: str


def lowering(cuts: Sequence[Cut], crew: Crew) -> Callable[[], list[Body | None]]:
    """Let helpers begin to lower some functions; what is handed back does the rest.

    It gives the bodies, None for one that is nested too deeply.
    """
    members = max(1, min(crew.size, sum(len(cut.text) for cut in cuts) // _WORTH_LOWERING_ELSEWHERE))
    places = shares(range(len(cuts)), MOST, lambda place: len(cuts[place].text))
    finish = crew.share(_lower_all, [[cuts[place] for place in part] for part in places], members=members)

    def bodies() -> list[Body | None]:
        found: list[Body | None] = [None] * len(cuts)
        for part, result in zip(places, finish(), strict=True):
            for place, body in zip(part, _bodies().decode(result), strict=True):
                found[place] = body
        return found

    return bodies


@cache
def _bodies() -> Decoder[list[Body | None]]:
    return Decoder(list[tuple[Stmt, ...] | None])


def _lower_all(cuts: Sequence[Cut]) -> bytes:
    """What some functions do, as it goes from one process to another."""
    return Encoder().encode([_lower(cut) for cut in cuts])


def _lower(cut: Cut) -> Body | None:
    try:
        return lower_body(cut.text, cut.at, cut.qualname)
    except (TooDeep, RecursionError, MemoryError):  # said by whoever asks for it
        return None


def scouted(
    sources: Sequence[Source], words: Sequence[str], memory: Memory, crew: Crew, track: Track
) -> Iterator[tuple[Source, Known | Failed]]:
    """The facts of some files, or what is wrong with them.

    Bodies that hold one of ``words`` will be asked for.
    """
    remembered = {source.path: memory.load(source) for source in sources}
    yield from ((source, known) for source in sources if (known := remembered[source.path]) is not None)
    new = [source for source in sources if remembered[source.path] is None]
    members = max(1, min(crew.size, sum(len(source.data) for source in new) // _WORTH_SHARING))
    parts = shares(new, MOST, lambda source: len(source.data))
    requests = [_Request(part, words) for part in parts]
    watched = track("parsing", requests)
    finish = crew.share(_scout_for_another, requests, members=members, here=_scout_all, watched=watched)
    for part, results in zip(parts, finish(), strict=True):
        for source, result in zip(part, results, strict=True):
            yield source, _decoder().decode(result) if isinstance(result, bytes) else result


def _scout_all(request: _Request) -> list[Known | Failed | bytes]:
    """The facts of some files."""
    return [_scout(source, request.words) for source in request.files]


def _scout_for_another(request: _Request) -> list[Known | Failed | bytes]:
    """The same in the form in which they go to another process."""
    encode = Encoder().encode
    return [encode(it) if isinstance(it, Known) else it for it in _scout_all(request)]


def _scout(source: Source, words: Sequence[str]) -> Known | Failed:
    try:
        return Known(*scout(source.parse(), _lines_with(words, source)))
    except Unreadable as error:
        return Failed(error.message)
    except (TooDeep, RecursionError):
        return Failed("nested too deeply to be checked")


def _lines_with(words: Sequence[str], source: Source) -> list[int]:
    """The lines in which a word stands, in order."""
    text = Text(source)
    return sorted({line for word in words for line in text.lines_with(word)})
