"""What a name means: over modules, classes, functions and calls."""

from __future__ import annotations

import pytest

from ipc_lint.facts import Name
from ipc_lint.index.layout import Layout
from ipc_lint.index.scope import Scope
from tests.index.memory import inference, shown, type_of

WIRE = "class Base:\n    pass\nclass Note(Base):\n    pass\n"


@pytest.mark.parametrize(
    ("imports", "annotation"),
    [
        ("from app.wire import Note", "Note"),
        ("from app.wire import Note as N", "N"),
        ("from .wire import Note", "Note"),
        ("from . import wire", "wire.Note"),
        ("import app.wire", "app.wire.Note"),
        ("import app.wire as w", "w.Note"),
        ("from app import Note", "Note"),
        ("from app.star import *", "Note"),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from app.wire import Note", '"Note"'),
        ("from app.wire import Note\nfrom typing import Optional", 'Optional["Note"]'),
        ("from app.wire import Note", "Note | None"),
        ("from app.wire import Note\nfrom typing import Annotated", 'Annotated[Note, "x"]'),
        ("from app.wire import Note\nAlias = Note", "Alias"),
        ("from app.wire import Note\nfrom typing import Optional", "\"Optional['Note']\""),
    ],
)
def test_a_class_is_found_however_it_is_imported(imports: str, annotation: str) -> None:
    infer = inference(
        {
            "app/__init__.py": "from app.wire import Note\n",
            "app/wire.py": WIRE,
            "app/star.py": "from app.wire import *\n",
            "app/use.py": f"{imports}\ndef take(note: {annotation}):\n    pass\n",
        }
    )
    assert shown(type_of(infer, "app/use.py", "take", "note")) - {"Nothing"} == {"Note"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x = Note()", {"Note"}),
        ("x = make()", {"Note"}),
        ("x = [Note()][0]", {"Note"}),
        ("for x in [Note()]: pass", {"Note"}),
        ("for _, x in enumerate([Note()]): pass", {"Note"}),
        ("x = {'a': Note()}.get('a')", {"Note"}),
        ("x, y = Note(), Base()", {"Note"}),
        ("x = Note() if y else Base()", {"Note", "Base"}),
        ("if x := Note(): pass", {"Note"}),
        ("x = next(n for n in [Note()])", {"Note"}),
        ("x = self.kept", {"Note"}),
        ("x = self.property_", {"Note"}),
        ("x = self.method()", {"Note"}),
        ("x = type(Note())()", {"Note"}),
        ("x = copy.copy(Note())", {"Note"}),
        ("x = unknown()", set()),
        ("x = self.inherited", {"Base"}),
    ],
)
def test_a_variable_is_what_it_is_bound_to(body: str, expected: set[str]) -> None:
    text = f"""\
import copy
from wire import Base, Note
def make() -> Note: ...
class Parent:
    inherited: Base
class Server(Parent):
    def __init__(self):
        self.kept = Note()
    @property
    def property_(self) -> Note: ...
    def method(self):
        return self.kept
    def run(self, y, unknown):
        {body}
"""
    infer = inference({"wire.py": WIRE, "use.py": text})
    assert shown(type_of(infer, "use.py", "Server.run", "x")) - {"Nothing"} == expected


def test_a_parameter_without_annotation_is_what_callers_pass() -> None:
    text = "from wire import Note\ndef take(x): pass\ndef call():\n    take(Note())\n"
    infer = inference({"wire.py": WIRE, "use.py": text})
    assert shown(type_of(infer, "use.py", "take", "x")) == {"Note"}


def test_inheritance_over_modules_in_pythons_order() -> None:
    infer = inference(
        {"wire.py": WIRE, "more.py": "import wire\nclass M:\n    pass\nclass Two(M, wire.Note):\n    pass\n"}
    )
    two = infer.project.modules["/p/more.py"].classes["Two"]
    assert [cls.short for cls in two.mro] == ["Two", "M", "Note", "Base"]


def test_nobody_mentions_nothing() -> None:
    assert inference({"app/use.py": "def use(x):\n    x[0](x)\n"}).project.mentions("") == ()


def test_a_question_that_leads_back_to_itself_ends() -> None:
    text = "def a():\n    return b()\ndef b():\n    return a()\ndef c():\n    x = a()\n"
    assert type_of(inference({"use.py": text}), "use.py", "c", "x") == frozenset()


def test_an_alias_that_leads_back_to_itself_ends() -> None:
    text = "from typing import Union\nOne = Union['One', 'Two']\nTwo = Union[One, int]\ndef c(x: Two): pass\n"
    assert shown(type_of(inference({"use.py": text}), "use.py", "c", "x")) <= {"ExternalInstance"}


def test_what_is_asked_of_passing_expressions_is_not_mixed_up() -> None:
    """They are remembered by their id, which another one may get."""
    text = "from wire import Base, Note\ndef take(xs: list[Base], ys: list[Note]): pass\n"
    infer = inference({"wire.py": WIRE, "use.py": text})
    scope = Scope(infer.project.modules["/p/use.py"].functions["take"])
    for name, expected in [("xs", "Base"), ("ys", "Note")] * 5:
        assert shown(infer.loop_names(Name("x"), Name(name), scope)["x"]) == {expected}


def test_a_signature_is_read_by_what_is_around_its_function() -> None:
    text = """\
from typing import Self
from wire import Note
class Desk:
    def own(self) -> Self: ...
    def take(self, x: Note, y: "Note") -> "Note":
        Note = load()
        z = self.own()
def around():
    from wire import Base as Note
    def inner(x: Note): pass
"""
    infer = inference({"wire.py": WIRE, "use.py": text})
    for name, expected in {"x": {"Note"}, "y": {"Note"}, "z": {"Desk"}}.items():
        assert shown(type_of(infer, "use.py", "Desk.take", name)) == expected
    assert shown(infer.returns(infer.project.modules["/p/use.py"].functions["Desk.take"])) == {"Note"}
    assert shown(type_of(infer, "use.py", "around.inner", "x")) == {"Base"}


def test_two_copies_of_a_package_do_not_know_each_other() -> None:
    files = ["/p/app/a.py", "/p/app/b.py", "/p/old/lib/app/a.py", "/p/old/lib/app/b.py"]
    layout = Layout("/p", files, {path: ["app.b"] for path in files})
    assert layout.resolve("/p/app/a.py", "app.b", 0) == "/p/app/b.py"
    assert layout.resolve("/p/old/lib/app/a.py", "app.b", 0) == "/p/old/lib/app/b.py"
    assert layout.module_name("/p/old/lib/app/b.py") == "app.b"


def test_namespace_folders_need_no_init_file() -> None:
    files = ["/p/top/deep/a.py", "/p/top/other/b.py", "/p/top/__init__.py"]
    layout = Layout("/p", files, {"/p/top/deep/a.py": ["top.other.b"]})
    assert layout.module_name("/p/top/other/b.py") == "top.other.b"
    assert layout.resolve("/p/top/deep/a.py", "top.other.b", 0) == "/p/top/other/b.py"
    assert layout.resolve("/p/top/deep/a.py", "elsewhere", 0) is None


CALLS = {
    "note(x)": 1,
    "self.note(x)": 1,
    "(note)(x)": 1,
    "(note )\\\n (x)": 1,
    "(note # why\n)(x)": 1,
    "(await note)(x)": 1,
    "note(note(x))": 2,
    "other(note)": 0,
    "note": 0,
    "notes(x), a_note(x)": 0,
    "note[x](x)": 0,
    "note(x), 'é'": 1,
    "note(x), '— …'": 1,
    "noteﬁ(x), '…'": 0,
}


@pytest.mark.parametrize("text", CALLS)
def test_the_source_is_asked_first_whether_it_has_a_call(text: str) -> None:
    source = f"async def use(self, x, note, other):\n    y = ({text})\n"
    function = inference({"app/use.py": source}).project.modules["/p/app/use.py"].functions["use"]
    named = function.calls_named("note")
    assert len(named) == CALLS[text]
    assert named == function.calls.get("note", ())


def test_a_call_is_found_however_its_name_is_spelled() -> None:
    source = "def use(self, x):\n    ﬁnd(x)  # …\n    self.ﬁnd\n"
    function = inference({"app/use.py": source}).project.modules["/p/app/use.py"].functions["use"]
    assert len(function.calls_named("find")) == 1
    assert function.may_hand_on("find")


@pytest.mark.parametrize("name", ["भेजना", "ส่ง่", "col·", "Ωméga"])
def test_a_call_is_found_whatever_the_name_ends_in(name: str) -> None:
    source = f"def use(self, x):\n    self.{name}(x)\n    return self.{name}\n"
    function = inference({"app/use.py": source}).project.modules["/p/app/use.py"].functions["use"]
    assert len(function.calls_named(name)) == 1
    assert function.may_hand_on(name)


def test_a_long_comment_behind_a_name_is_passed_over_at_once() -> None:
    source = f"def use(note):\n    y = (note {'#' * 5000}\n)\n"
    function = inference({"app/use.py": source}).project.modules["/p/app/use.py"].functions["use"]
    assert function.calls_named("note") == ()


@pytest.mark.parametrize(
    ("text", "handed"),
    {
        "other(note)": True,
        "other(key=self.note)": True,
        "y = note": True,
        "note(x)": False,
        "note (x)": False,
        "(note)(x)": True,  # who can't tell says so
        "y = note\n    (x, other) = 1, 2": True,  # a statement of its own
        "y = 'é', note(x)": True,
        "y = '— …', note(x)": False,
        "notes, a_note": False,
    }.items(),
)
def test_the_source_is_asked_whether_a_name_is_handed_on(text: str, handed: bool) -> None:
    source = f"def use(self, x, other):\n    {text}\n"
    function = inference({"app/use.py": source}).project.modules["/p/app/use.py"].functions["use"]
    assert function.may_hand_on("note") is handed


def test_a_base_with_several_meanings_has_them_in_the_same_order_every_time() -> None:
    files = {
        "app/one.py": "class Base: pass\n",
        "app/two.py": "class Base: pass\n",
        "app/wire.py": "try: from app.two import Base\nexcept ImportError: from app.one import Base\n"
        "if Base is None:\n    class Base: pass\nclass Note(Base): pass\n",
    }
    kept = [inference(files) for _ in range(20)]  # each with its objects at other addresses
    notes = [infer.project.modules["/p/app/wire.py"].classes["Note"] for infer in kept]
    found = {tuple(base.module.path for base in note.bases) for note in notes}
    assert found == {("/p/app/wire.py", "/p/app/one.py", "/p/app/two.py")}
