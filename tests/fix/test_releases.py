"""Fixes of released sources beside what upstream did."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, Optional, Union

import pytest

from ipc_lint.engine import check
from ipc_lint.fix import apply
from ipc_lint.settings import Settings
from tests import corpus
from tests.releases.trees import part

zmq = pytest.importorskip("zmq")

FIELD = "http_worker_ipc"
WORDS = (b"http_worker_ipc", b"send_output", b"SenderWrapper", b"schedule_batch", b"io_struct")
SCHEDULER = "sglang/srt/managers/scheduler.py"
SENDER = "sglang/srt/managers/scheduler_components/output_sender.py"


def fixed(
    root: Path, monkeypatch: pytest.MonkeyPatch, *, unsafe: bool = False
) -> dict[str, tuple[bytes, bytes]]:
    """The fixes below a folder: relative path to old and new bytes."""
    monkeypatch.chdir(root)
    found = apply(lambda contents: check((".",), Settings(), contents=contents), unsafe=unsafe)
    return {Path(path).relative_to(root.resolve()).as_posix(): pair for path, pair in found.contents.items()}


@pytest.fixture
def tree(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return part(corpus.tree(request.param), WORDS, tmp_path / "tree")


def function(data: bytes, name: str) -> ast.FunctionDef:
    """A function or method by name, the only one."""
    (found,) = [n for n in ast.walk(ast.parse(data)) if isinstance(n, ast.FunctionDef) and n.name == name]
    return found


def calls(node: ast.AST, name: str) -> list[ast.Call]:
    """The calls of a name, in order of place."""
    found = [n for n in ast.walk(node) if isinstance(n, ast.Call) and ast.unparse(n.func) == name]
    return sorted(found, key=lambda call: call.lineno)


def shape(call: ast.Call) -> tuple[str, list[str], list[str]]:
    """A call without the order of its keywords."""
    return (
        ast.dump(call.func),
        [ast.dump(arg) for arg in call.args],
        sorted(ast.dump(word) for word in call.keywords),
    )


@pytest.mark.parametrize("tree", ["0.5.10"], indirect=True)
def test_the_call_of_the_error_path_is_what_upstream_made_of_it(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = fixed(tree, monkeypatch)[SCHEDULER]
    upstream = (corpus.tree("0.5.11") / SCHEDULER).read_bytes()
    before, mine, theirs = (
        calls(function(data, "handle_generate_request"), "Req") for data in (old, new, upstream)
    )
    changed = [
        (shape(after), shape(there))
        for there, after, was in zip(theirs, mine, before, strict=True)
        if shape(after) != shape(was)
    ]
    assert len(changed) == 1
    assert changed[0][0] == changed[0][1]


@pytest.mark.parametrize("tree", ["0.5.12"], indirect=True)
def test_the_late_stamp_moves_to_where_upstream_put_it(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # PR #26831 moved it before the state is initialised, where the items are taken.
    old, new = fixed(tree, monkeypatch, unsafe=True)["sglang/srt/managers/tokenizer_manager.py"]
    stamp = b"self._attach_multi_http_worker_info(obj)"
    copies = b"self._init_req_state(obj, request)"
    assert old.index(copies) < old.index(stamp)
    assert new.index(stamp) < new.index(copies)
    assert sorted(old.splitlines()) == sorted(new.splitlines())


class BaseReq:
    def __init__(self, http_worker_ipc: str | None = None) -> None:
        self.http_worker_ipc = http_worker_ipc


class BaseBatchReq:
    def __init__(self, http_worker_ipcs: list[str] | None = None) -> None:
        self.http_worker_ipcs = http_worker_ipcs


class Req:
    def __init__(self, http_worker_ipc: str | None = None) -> None:
        self.http_worker_ipc = http_worker_ipc


class Bare:
    """An object without the attribute."""


OUTPUTS: dict[str, Callable[[], object]] = {
    "message": BaseReq,
    "message with field": lambda: BaseReq("own"),
    "batch": BaseBatchReq,
    "batch with field": lambda: BaseBatchReq(["own"]),
}
ORIGINS: dict[str, Callable[[], object]] = {
    "nothing": lambda: None,
    "message": BaseReq,
    "message with field": lambda: BaseReq("theirs"),
    "request": Req,
    "request with field": lambda: Req("theirs"),
    "object without the attribute": Bare,
}


@pytest.fixture(scope="module")
def sockets() -> Iterator[tuple[Any, Any]]:
    context = zmq.Context()
    pull, push = context.socket(zmq.PULL), context.socket(zmq.PUSH)
    pull.RCVTIMEO = push.SNDTIMEO = 10_000
    push.LINGER = 0
    push.connect(f"tcp://127.0.0.1:{pull.bind_to_random_port('tcp://127.0.0.1')}")
    yield push, pull
    context.destroy(linger=0)


def sender(data: bytes) -> Callable[[Any, object, object], None]:
    """``send_output``, cut out of a module."""
    space = {
        "BaseReq": BaseReq,
        "BaseBatchReq": BaseBatchReq,
        "Optional": Optional,
        "Union": Union,
        "sock_send": lambda socket, output: socket.send(pickle.dumps(output)),
    }
    module = ast.Module([function(data, "send_output")], [])
    exec(compile(module, "output_sender.py", "exec"), space)
    found: Callable[[Any, object, object], None] = space["send_output"]  # type: ignore[assignment]
    return found


def arrived(
    send: Callable[[Any, object, object], None], sockets: tuple[Any, Any], pair: tuple[str, str]
) -> Any:
    """What comes out at the other end, or the error."""
    push, pull = sockets

    class Wrapper:
        socket = push

    try:
        send(Wrapper(), OUTPUTS[pair[0]](), ORIGINS[pair[1]]())
    except AttributeError as error:
        return type(error), str(error)
    got = pickle.loads(pull.recv())
    return type(got), vars(got)


@pytest.mark.parametrize("tree", ["0.5.17"], indirect=True)
def test_the_fixed_sender_does_what_the_next_release_does(
    tree: Path, sockets: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = fixed(tree, monkeypatch)[SENDER]
    before, mine, theirs = (
        {pair: arrived(sender(data), sockets, pair) for pair in product(OUTPUTS, ORIGINS)}
        for data in (old, new, (corpus.tree("0.5.18") / SENDER).read_bytes())
    )
    assert mine == theirs
    assert {pair for pair in mine if mine[pair] != before[pair]} >= {("message", "request with field")}
    assert mine["message", "request with field"] == (BaseReq, {FIELD: "theirs"})


@pytest.mark.parametrize("tree", ["0.5.9"], indirect=True)
def test_a_keyword_that_is_dropped_is_healed(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tree / SCHEDULER
    whole = path.read_bytes()
    known = fixed(tree, monkeypatch)[SCHEDULER][1]
    (word,) = [
        word
        for call in calls(function(whole, "handle_embedding_request"), "Req")
        for word in call.keywords
        if word.arg == FIELD
    ]
    lines = whole.splitlines(keepends=True)
    assert lines[word.lineno - 1].strip() == b"http_worker_ipc=recv_req.http_worker_ipc,"
    path.write_bytes(b"".join(lines[: word.lineno - 1] + lines[word.lineno :]))
    old, new = fixed(tree, monkeypatch)[SCHEDULER]
    assert sorted_tree(old) != sorted_tree(whole)
    assert sorted_tree(new) == sorted_tree(known)
    assert sorted(new.splitlines()) == sorted(known.splitlines())


def sorted_tree(data: bytes) -> str:
    """A syntax tree without the order of keywords."""
    tree = ast.parse(data)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            node.keywords.sort(key=ast.dump)
    return ast.dump(tree)
