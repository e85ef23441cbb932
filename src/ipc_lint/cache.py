"""Remembers results from one run to the next.

An entry is a small file, of JSON or (for facts) of MessagePack, named by the hash of all that its
content depends on. It begins with the hash of the rest: what is cut off, foreign or changed is no
entry. It is never executed. A cache that cannot be written is as good as none.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

_TAG = "CACHEDIR.TAG"
_SIGNATURE = (
    "Signature: 8a477f597d28d172789f06886806bc55\n# Written by ipc-lint; may be deleted at any time.\n"
)
# What results and what facts are kept in.
ENDINGS = (".json", ".facts")
# So many bytes are kept: a whole project is a few hundred thousand.
_LARGEST = 20_000_000


class Cache:
    """One cache folder."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def load(self, key: str) -> Any | None:
        """What is remembered under a key, or None."""
        import json

        try:
            body = self.load_bytes(f"{key}.json")
            return None if body is None else json.loads(body)
        except (ValueError, RecursionError):
            return None

    def store(self, key: str, value: object) -> None:
        """Remember something that JSON can hold."""
        import json

        self.store_bytes({f"{key}.json": json.dumps(value, separators=(",", ":")).encode()})

    def load_bytes(self, name: str) -> bytes | None:
        """What an entry holds, or None."""
        path = os.path.join(self._folder, name)
        try:
            if not os.path.isfile(path):  # a pipe would never end
                return None
            with open(path, "rb") as file:
                head, _, body = file.read().partition(b"\n")
        except OSError:
            return None
        return body if head == hashed([body]).encode() else None

    def store_bytes(self, entries: Mapping[str, bytes]) -> None:
        """Remember some entries; readers see the old one or the new one, never a part."""
        import tempfile

        with suppress(OSError):
            self._prepare()
            for name, body in entries.items():
                handle, temporary = tempfile.mkstemp(dir=self._folder, prefix="new-")
                try:
                    with os.fdopen(handle, "wb") as file:
                        file.write(hashed([body]).encode() + b"\n" + body)
                    os.replace(temporary, os.path.join(self._folder, name))
                except BaseException:
                    os.unlink(temporary)
                    raise
            self._prune()

    def _prepare(self) -> None:
        """The folder, which tells git and backups to pass it over."""
        if os.path.exists(os.path.join(self._folder, _TAG)):
            return
        os.makedirs(self._folder, exist_ok=True)
        for name, text in ((".gitignore", "*\n"), (_TAG, _SIGNATURE)):
            with open(os.path.join(self._folder, name), "w", encoding="ascii") as file:
                file.write(text)

    def _prune(self) -> None:
        """Drop the oldest entries."""
        with os.scandir(self._folder) as entries:
            mine = [(entry.stat(), entry.path) for entry in entries if entry.name.endswith(ENDINGS)]
        kept = 0
        for status, path in sorted(mine, key=lambda entry: entry[0].st_mtime, reverse=True):
            kept += status.st_size
            if kept > _LARGEST:
                with suppress(OSError):
                    os.unlink(path)


def clean(folder: str) -> bool:
    """Remove a cache folder, if it is one; whether it was. Raises OSError if that fails."""
    import shutil
    import tempfile

    if not os.path.exists(os.path.join(folder, _TAG)):
        return False
    # Out of the way at once: others may be about to write into it.
    aside = tempfile.mkdtemp(dir=os.path.dirname(folder), prefix=f"{os.path.basename(folder)}-")
    os.rename(folder, os.path.join(aside, "old"))
    shutil.rmtree(aside)
    return True


def key_of(parts: Iterable[str]) -> str:
    """The name of what depends on some words, in their order."""
    return hashed(part.encode("utf-8", "surrogatepass") for part in parts)


def hashed(parts: Iterable[bytes]) -> str:
    """One hash of several strings; where one ends counts."""
    from hashlib import sha256

    found = sha256()
    for part in parts:
        found.update(b"%d " % len(part))
        found.update(part)
    return found.hexdigest()[:32]


def own_stamp() -> str:
    """What changes when the files of this package do, whatever its version says."""
    found = []
    for folder, folders, names in os.walk(os.path.dirname(__file__)):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            if name.endswith(".py"):
                status = os.stat(os.path.join(folder, name))
                found.append(f"{name} {status.st_size} {status.st_mtime_ns}")
    return "\n".join(found)
