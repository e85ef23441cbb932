"""What is done before anybody asks for it comes to the same as if it were done when somebody does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from ipc_lint import gather
from ipc_lint.contract.foreseen import Foreseen
from ipc_lint.engine import check
from ipc_lint.facts.body import TooDeep, lower_body
from ipc_lint.facts.scout import scout
from ipc_lint.files.source import Source
from ipc_lint.model import Report
from ipc_lint.settings import Settings
from tests import corpus
from tests.trees import write

RELEASES = ["0.5.4", "0.5.9", "0.5.18", "0.5.23"]
ODD = '''
import typing
\f
@typing.final
class Odd:
    @property
    def twice(self) -> "typing.List['Odd']":
        text = """
no indentation
"""
        kept: "typing.Dict[str, 'Odd']" = {text: self}
        for one in ((yield kept), *[name := self]): pass
        return [one, f"{self.twice!r:>{len(text)}}"]

    @property
    def twice(self): return lambda odd=self: odd.twice

async def tabs(self):
\tasync def inner(self):
\t\tclass Local(Odd):
\t\t\tdef twice(self): "again"
\t\treturn Local()
\treturn await inner(self)
'''


def sources() -> Iterator[Source]:
    yield Source("odd.py", ODD.encode())
    for release in ("0.5.9", "0.5.23"):
        for path in sorted((corpus.tree(release) / "sglang/srt").glob("managers/**/*.py")):
            yield Source.read(str(path))


def test_a_body_lowered_with_its_file_is_the_one_lowered_alone() -> None:
    number = 0
    for source in sources():
        facts, bodies = scout(source.parse(), range(1, len(source.lines) + 1))
        assert bodies.keys() == {function.key for function in facts.functions}
        for function in facts.functions:
            text = "".join(source.lines[function.at.line - 1 : function.at.end_line])
            assert lower_body(text, function.at, function.qualname) == bodies[function.key], function.key
            number += 1
    assert number > 2000


def test_only_bodies_that_hold_one_of_the_lines_are_lowered() -> None:
    tree = ast.parse("def a():\n    b\n\n\ndef c():\n    def d():\n        e\n    f\n")
    assert [*scout(tree)[1]] == []
    assert [*scout(tree, [3])[1]] == []
    assert [*scout(tree, [2])[1]] == ["1 a"]
    assert [*scout(tree, [7])[1]] == ["5 c", "6 c.d"]
    assert [*scout(tree, [1, 8])[1]] == ["1 a", "5 c"]


def test_what_is_nested_too_deeply_is_left_to_who_asks_for_it() -> None:
    text = "def deep(x):\n" + "    if x: pass\n" + "    elif x: pass\n" * 500
    facts, bodies = scout(ast.parse(text), [2])
    assert bodies == {}
    with pytest.raises(TooDeep):
        lower_body(text, facts.functions[0].at, "deep")


def checked(tree: Path, field: str) -> Report:
    return check([str(tree)], Settings(fields=(field,), cache=None), record_sites=True)


@pytest.mark.parametrize("release", RELEASES)
def test_who_foresees_nothing_finds_the_same(release: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = corpus.tree(release)
    found = checked(tree, "http_worker_ipc")
    monkeypatch.setattr(gather, "foreseen", lambda project, fields: Foreseen({}, set(), {}, set()))
    assert checked(tree, "http_worker_ipc") == found
    assert found.sites


MODEL = """
class Base:
    def __init__(self, qid, reply_to=None):
        self.qid = qid
        self.reply_to = reply_to


class Answer:
    def __init__(self, qid, reply_to=None):
        self.qid = qid
        self.reply_to = reply_to


def make():
    return Base(1, 2)
"""
DECOYS = {
    # A class of the same name elsewhere, whose users can't even be parsed.
    "broken": {
        "server/other.py": "# reply_to\nclass Answer:\n    pass\n",
        "server/user.py": "from server.other import Answer\n\nx = Answer(1)\ndef broken(:\n",
    },
    # What is foreseen in vain asks for itself, and for a file that says of what class `cur` is.
    "circle": {
        "server/stamps.py": (
            "from server.wire import Base\n\n\ndef stamp(out: Base, origin: Base):\n"
            "    out.reply_to = origin.reply_to\n"
        ),
        "server/other.py": "# reply_to\nclass Base:\n    pass\n",
        "server/alias.py": (
            "import server.wire\nfrom server.other import Base\n\no = Base()\nTop = server.wire.Answer\n"
        ),
        "server/sub.py": (
            "from server.alias import Top\nfrom server.other import Base\n\no = Base()\n\n\n"
            "class Sub(Top):\n    pass\n"
        ),
        "server/use.py": (
            "from server.sub import Sub\nfrom server.wire import make\n\n\ndef use(h, o):\n"
            "    Sub(o.qid)\n    h.cur = make()\n"
        ),
    },
}


@pytest.mark.parametrize("decoy", DECOYS)
def test_what_is_foreseen_in_vain_changes_nothing(
    decoy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sends = (
        "from server.wire import Answer\n\n\ndef answer(query):\n    return Answer(query.qid)\n\n\n"
        "def more(queue, query):\n    queue.append(Answer(query.cur.qid))\n"
    )
    files = {"server/__init__.py": "", "server/wire.py": MODEL, "server/sends.py": sends}
    write(tmp_path, files | DECOYS[decoy])
    found = checked(tmp_path, "reply_to")
    assert not found.problems
    assert found.sites
    monkeypatch.setattr(gather, "foreseen", lambda project, fields: Foreseen({}, set(), {}, set()))
    assert checked(tmp_path, "reply_to") == found
