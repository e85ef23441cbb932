"""One fault at a time, seeded into a release that is clean there: each has to be found, alone."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import corpus
from tests.releases.labels import LABELS
from tests.releases.trees import findings, part, sources

RELEASE = "0.5.18"
FIELD = "http_worker_ipc"
# What the files that can matter hold: with the others it takes twice as long and gives the same.
WORDS = (b"http_worker_ipc", b"send_output", b"SenderWrapper", b"schedule_batch", b"io_struct")

CONSTRUCTIONS = [
    ("sglang/srt/disaggregation/encode_receiver.py", "MMReceiverBase.create_req", 0),
    ("sglang/srt/managers/scheduler.py", "Scheduler.handle_embedding_request", 0),
    ("sglang/srt/managers/scheduler.py", "Scheduler.handle_generate_request", 0),
    ("sglang/srt/managers/scheduler.py", "Scheduler.handle_generate_request", 1),
    ("sglang/srt/session/session_controller.py", "Session.create_req", 0),
]
SENDS = [
    ("sglang/srt/managers/scheduler.py", "Scheduler._abort_on_queued_limit", 0),
    ("sglang/srt/managers/scheduler.py", "Scheduler._set_or_validate_priority", 0),
    ("sglang/srt/managers/scheduler.py", "Scheduler.update_running_batch", 0),
]


class Cut(NamedTuple):
    """The bytes to remove, and the lines of the call that they are removed from."""

    function: str
    begin: int
    end: int
    lines: range


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return part(corpus.tree(RELEASE), WORDS, tmp_path_factory.mktemp("tree"))


def test_the_part_that_mutants_are_made_of_gives_what_the_whole_gives(tree: Path) -> None:
    assert LABELS[RELEASE].amiss(findings(tree)) == []


def test_every_construction_with_the_field_is_tried() -> None:
    root = corpus.tree(RELEASE)
    found: list[tuple[str, str, int]] = []
    for path in sources(root):
        if b"http_worker_ipc=" in (data := path.read_bytes()):
            names = [cut.function for cut in cuts_of_constructions(data)]
            name = path.relative_to(root).as_posix()
            found += [(name, function, names[:i].count(function)) for i, function in enumerate(names)]
    assert sorted(found) == CONSTRUCTIONS


@pytest.mark.parametrize(("name", "function", "number"), CONSTRUCTIONS)
def test_a_construction_that_loses_the_field(tree: Path, name: str, function: str, number: int) -> None:
    assert seeded(tree, name, function, number, cuts_of_constructions) == ["IPC001"]


@pytest.mark.parametrize(("name", "function", "number"), SENDS)
def test_a_send_that_loses_its_origin(tree: Path, name: str, function: str, number: int) -> None:
    assert seeded(tree, name, function, number, cuts_of_sends) == ["IPC101"]


def seeded(
    tree: Path, name: str, function: str, number: int, cuts: Callable[[bytes], Iterator[Cut]]
) -> list[str]:
    """The codes found at the call after the cut, and that nothing else is found."""
    path = tree / name
    clean = path.read_bytes()
    cut = [cut for cut in cuts(clean) if cut.function == function][number]
    path.write_bytes(clean[: cut.begin] + clean[cut.end :])
    try:
        found = findings(tree)
    finally:
        path.write_bytes(clean)
    here = [f for f in found if f["path"] == name and f["line"] in cut.lines and f["symbol"] == function]
    assert len(found) - len(here) == len(LABELS[RELEASE].must)
    return [finding["code"] for finding in here]


def cuts_of_constructions(data: bytes) -> Iterator[Cut]:
    """The field's keyword, in every ``Req(...)`` that has it."""
    for function, call, offset in calls(data):
        match call.func:
            case ast.Name("Req"):
                for keyword in call.keywords:
                    if keyword.arg == FIELD:
                        begin, end = offset(keyword)
                        end = data.index(b",", end) + 1
                        yield Cut(function, begin, end, lines(call))


def cuts_of_sends(data: bytes) -> Iterator[Cut]:
    """The second argument, in every ``x.send_output(output, origin)``."""
    for function, call, offset in calls(data):
        match call:
            case ast.Call(ast.Attribute(attr="send_output"), [output, origin], []):
                yield Cut(function, offset(output)[1], offset(origin)[1], lines(call))


def lines(call: ast.Call) -> range:
    """The lines of a call."""
    assert call.end_lineno
    return range(call.lineno, call.end_lineno + 1)


class Offsets:
    """Where the bytes of a node begin and end."""

    def __init__(self, data: bytes) -> None:
        self._starts = [0]
        for line in data.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def __call__(self, node: ast.expr | ast.keyword) -> tuple[int, int]:
        assert node.end_lineno
        assert node.end_col_offset
        begin = self._starts[node.lineno - 1] + node.col_offset
        return begin, self._starts[node.end_lineno - 1] + node.end_col_offset


def calls(data: bytes) -> Iterator[tuple[str, ast.Call, Offsets]]:
    """Every call of a module in order, with the qualified name of its function."""
    offsets = Offsets(data)

    def walk(node: ast.AST, scope: tuple[str, ...]) -> Iterator[tuple[str, ast.Call, Offsets]]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            scope = (*scope, node.name)
        if isinstance(node, ast.Call):
            yield ".".join(scope), node, offsets
        for child in ast.iter_child_nodes(node):
            yield from walk(child, scope)

    yield from walk(ast.parse(data), ())
