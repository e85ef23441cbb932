"""Faults in many files of a released tree at once: one run mends them, and nothing else."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import corpus
from tests.project import run
from tests.releases.test_mutants import calls
from tests.releases.trees import sources

RELEASE = "0.5.23"
FIELDS = ("http_worker_ipc", "http_worker_ipcs")
# The construction of each file that loses its keyword, by function and callee.
SEEDED = {
    "sglang/srt/disaggregation/encoder/receiver.py": ("MMReceiverBase.create_req", "Req"),
    "sglang/srt/managers/detokenizer_manager.py": (
        "DetokenizerManager.handle_batch_token_id_out",
        "BatchStrOutput",
    ),
    "sglang/srt/managers/scheduler.py": ("Scheduler._handle_embedding_request", "Req"),
    "sglang/srt/managers/scheduler_components/output_streamer.py": (
        "SchedulerOutputStreamer._stream_output_embedding",
        "BatchEmbeddingOutput",
    ),
    "sglang/srt/managers/tokenizer_manager.py": (
        "TokenizerManager._create_tokenized_object",
        "TokenizedEmbeddingReqInput",
    ),
    "sglang/srt/managers/io_struct.py": ("GenerateReqInput.__getitem__", "GenerateReqInput"),
    "sglang/srt/session/session_controller.py": ("Session.create_req", "req_factory"),
}


class Seed(NamedTuple):
    """A keyword with its comma, in the bytes of a file."""

    function: str
    callee: str
    begin: int
    end: int


def seeds(data: bytes) -> Iterator[Seed]:
    """Every keyword of a construction that hands the field on."""
    for function, call, offset in calls(data):
        for word in call.keywords:
            if word.arg in FIELDS:
                begin, end = offset(word)
                comma = end + len(data[end:]) - len(data[end:].lstrip())
                callee = ast.unparse(call.func).rpartition(".")[2]
                yield Seed(function, callee, begin, comma + 1 if data[comma : comma + 1] == b"," else end)


def without(data: bytes, place: tuple[str, str]) -> bytes:
    """A file without the keyword of its first construction at a place."""
    seed = next(seed for seed in seeds(data) if (seed.function, seed.callee) == place)
    return data[: seed.begin] + data[seed.end :]


def contents(root: Path) -> dict[str, bytes]:
    """The files of a release."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sources(root)}


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> set[str]:
    """The files that are not the same in both."""
    assert one.keys() == other.keys()
    return {name for name in one if one[name] != other[name]}


def edits(old: bytes, new: bytes) -> int:
    """In how many places lines differ."""
    pairs = SequenceMatcher(None, old.splitlines(True), new.splitlines(True), autojunk=False).get_opcodes()
    return sum(kind != "equal" for kind, *_ in pairs)


def sorted_tree(data: bytes) -> str:
    """A syntax tree without the order of keywords."""
    tree = ast.parse(data)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            node.keywords.sort(key=ast.dump)
    return ast.dump(tree)


@pytest.fixture(scope="module")
def original() -> dict[str, bytes]:
    return contents(corpus.tree(RELEASE))


def test_every_file_with_a_construction_that_hands_the_field_on_is_tried(original: dict[str, bytes]) -> None:
    with_field = {name for name, data in original.items() if b"http_worker_ipc" in data and any(seeds(data))}
    assert {name for name in with_field if "/test" not in name} == SEEDED.keys()


def test_one_run_mends_a_fault_in_every_file_and_touches_no_other(
    original: dict[str, bytes], tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(corpus.tree(RELEASE), tree)
    for name, place in SEEDED.items():
        (tree / name).write_bytes(without(original[name], place))
    seeded = contents(tree)
    assert differing(seeded, original) == SEEDED.keys()

    done = run("check", "--fix", ".", cwd=tree)
    assert done.returncode == 1, done.stderr  # what no fix exists for is left
    assert f"Fixed {len(SEEDED)} of " in done.stderr
    fixed = contents(tree)
    assert differing(fixed, seeded) == SEEDED.keys()
    for name in SEEDED:
        assert edits(seeded[name], fixed[name]) == 1, name
        assert sorted_tree(fixed[name]) == sorted_tree(original[name]), name
