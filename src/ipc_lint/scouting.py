"""Parses and scouts files; where there are many, in several processes at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.msgpack import Decoder, Encoder

from ipc_lint.crew import Crew, shares
from ipc_lint.facts import ModuleFacts
from ipc_lint.facts.body import TooDeep
from ipc_lint.facts.scout import scout
from ipc_lint.files.source import Source, Unreadable
from ipc_lint.track import Track

# What is scouted faster than a helper is told to, in bytes.
_WORTH_SHARING = 200_000


class Failed(NamedTuple):
    """Why a file can't be scouted."""

    message: str


def scouted(
    sources: Sequence[Source], crew: Crew, track: Track
) -> Iterator[tuple[Source, ModuleFacts | Failed]]:
    """The facts of some files, or what is wrong with them."""
    total = sum(len(source.data) for source in sources)
    parts = shares(sources, max(1, min(crew.size, total // _WORTH_SHARING)), lambda source: len(source.data))
    requests: list[Iterable[tuple[str, bytes]]] = [[(s.path, s.data) for s in part] for part in parts]
    requests[:1] = [((s.path, s.data) for s in track("parsing", part)) for part in parts[:1]]
    decoder = Decoder(ModuleFacts)
    for part, results in zip(parts, crew.run(_scout_all, requests), strict=True):
        for source, result in zip(part, results, strict=True):
            yield source, decoder.decode(result) if isinstance(result, bytes) else result


def _scout_all(files: Iterable[tuple[str, bytes]]) -> list[bytes | Failed]:
    """The facts of some files, as they go from one process to another."""
    encoder = Encoder()
    return [_scout(Source(path, data), encoder) for path, data in files]


def _scout(source: Source, encoder: Encoder) -> bytes | Failed:
    try:
        return encoder.encode(scout(source.parse()))
    except Unreadable as error:
        return Failed(error.message)
    except (TooDeep, RecursionError):
        return Failed("nested too deeply to be checked")
