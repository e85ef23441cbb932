"""A late stamp moves up, with its lines as they are; anything doubtful stays where it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fix.fixing import fixes, new_contents
from tests.trees import write

BATCH = """\
class Batch:
    def __init__(self, rid, texts, reply_to=None):
        self.rid = rid
        self.texts = texts
        self.reply_to = reply_to
        self.parts = {}

    def __getitem__(self, place):
        if place not in self.parts:
            self.parts[place] = Batch(self.rid[place], self.texts[place], reply_to=self.reply_to)
        return self.parts[place]


"""
HEAD = "def serve(self, batch: Batch, address):\n"

MOVED = {
    "a call": (
        "    prepare(batch)\n    batch.reply_to = address\n",
        "    batch.reply_to = address\n    prepare(batch)\n",
    ),
    "an if with a comment": (
        "    prepare(batch)  # first\n    log()\n    if self.several:  # of us\n        # ours\n"
        "        batch.reply_to = address\n    return batch\n",
        "    if self.several:  # of us\n        # ours\n        batch.reply_to = address\n"
        "    prepare(batch)  # first\n    log()\n    return batch\n",
    ),
    "inside a block": (
        "    if address:\n        prepare(batch)\n        batch.reply_to = address\n",
        "    if address:\n        batch.reply_to = address\n        prepare(batch)\n",
    ),
    "the copy deep in a statement": (
        "    for n in range(2):\n        prepare(batch)\n    batch.reply_to = address\n",
        "    batch.reply_to = address\n    for n in range(2):\n        prepare(batch)\n",
    ),
}
STAYS = {
    "what it reads is set in between": (
        "    prepare(batch)\n    address = pick()\n    batch.reply_to = address\n"
    ),
    "it stands in a deeper block beside others": (
        "    prepare(batch)\n    if address:\n        log()\n        batch.reply_to = address\n"
    ),
    "two statements on a line": "    prepare(batch); batch.reply_to = address\n",
    "the other branch does something": (
        "    prepare(batch)\n    if address:\n        batch.reply_to = address\n    else:\n        log()\n"
    ),
}
PREPARE = "\n\ndef prepare(batch: Batch):\n    return [batch[n] for n in range(2)]\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write(tmp_path, {"pyproject.toml": ""})


def cured(project: Path, body: str, newline: str) -> str | None:
    text = (BATCH + HEAD + body + PREPARE).replace("\n", newline)
    (project / "batch.py").write_bytes(text.encode())
    assert new_contents(fixes(unsafe=False)) == {}, "it is never a safe fix"
    new = new_contents(fixes(unsafe=True)).get("batch.py")
    return None if new is None else new.decode()


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("name", MOVED)
def test_it_moves_above_the_copies(project: Path, name: str, newline: str) -> None:
    before, after = MOVED[name]
    assert cured(project, before, newline) == (BATCH + HEAD + after + PREPARE).replace("\n", newline)


@pytest.mark.parametrize("name", STAYS)
def test_what_may_depend_on_it_stays(project: Path, name: str) -> None:
    assert cured(project, STAYS[name], "\n") is None
