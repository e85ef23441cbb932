"""Where an argument goes, byte for byte: what a fix adds stands between « and »."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import libcst as cst
import pytest

from ipc_lint.files.source import Source
from ipc_lint.fix import edited
from ipc_lint.sites.edits import Layout, add_argument
from ipc_lint.sites.slices import cut, spans
from tests.fix.fixing import MODEL, after_of, before_of, fixes, new_contents
from tests.trees import write

HEAD = "from model import Job, Order\n\n\ndef admit(order: Order, queue):\n"
WORD = "reply_to=order.reply_to"

# The bodies of a function that takes `order` and `queue`.
BODIES = {
    "one line": "    queue.append(Job(order.rid«, reply_to=order.reply_to»))\n",
    "keywords": "    queue.append(Job(rid=order.rid, text=order.text«, reply_to=order.reply_to»))\n",
    "positional only": "    queue.append(Job(order.rid, order.text, 3«, reply_to=order.reply_to»))\n",
    "one line, trailing comma": "    queue.append(Job(order.rid,« reply_to=order.reply_to,»))\n",
    "spaces inside": "    queue.append(Job( order.rid«, reply_to=order.reply_to» ))\n",
    "space before the comma": "    queue.append(Job(order.rid ,« reply_to=order.reply_to,» ))\n",
    "bracketed argument": "    queue.append(Job((order.rid)«, reply_to=order.reply_to»))\n",
    "no space after the comma": "    queue.append(Job(order.rid,order.text«, reply_to=order.reply_to»))\n",
    "black": """\
    job = Job(
        order.rid,
        text=order.text,
«        reply_to=order.reply_to,
»    )
    queue.append(job)
""",
    "black without trailing comma": """\
    job = Job(
        order.rid,
        text=order.text«,
        reply_to=order.reply_to»
    )
    queue.append(job)
""",
    "black, all on the inner line": """\
    job = Job(
        order.rid, text=order.text«, reply_to=order.reply_to»
    )
    queue.append(job)
""",
    "several on the last line": """\
    job = Job(
        order.rid,
        order.text, 3,« reply_to=order.reply_to,»
    )
    queue.append(job)
""",
    "nested brackets in the last argument": """\
    job = Job(
        order.rid,
        text=order.text.format(
            3,
        ),
«        reply_to=order.reply_to,
»    )
    queue.append(job)
""",
    "hanging indent": """\
    job = Job(order.rid,
              order.text«,
              reply_to=order.reply_to»)
    queue.append(job)
""",
    "hanging indent of two levels": """\
    queue.append(Job(
            order.rid,
            order.text«,
            reply_to=order.reply_to»))
""",
    "hanging indent with trailing comma": """\
    job = Job(order.rid,
              order.text,«
              reply_to=order.reply_to,»)
    queue.append(job)
""",
    "closing bracket behind the last argument": """\
    job = Job(
        order.rid,
        order.text«,
        reply_to=order.reply_to»)
    queue.append(job)
""",
    "comments in every gap": """\
    job = Job(  # 1
        # 2
        order.rid,  # 3
        # 4
        text=  # 5
        # 6
        order.text  # 7
        # 8
        ,  # 9
«        reply_to=order.reply_to,
»        # 10
    )  # 11
    queue.append(job)
""",
    "a comment behind the last argument": """\
    job = Job(
        order.rid,
        order.text«,»  # as it came
«        reply_to=order.reply_to
»    )
    queue.append(job)
""",
    "a comment right behind the last argument": """\
    job = Job(
        order.rid«,»# as it came
«        reply_to=order.reply_to
»    )
    queue.append(job)
""",
    "comments below the last argument": """\
    job = Job(
        order.rid«,
        reply_to=order.reply_to»

        # that is all

    )
    queue.append(job)
""",
    "a comment behind several": """\
    job = Job(
        order.rid, order.text,« reply_to=order.reply_to,»  # both
    )
    queue.append(job)
""",
    "a bracket and a comma in comments and strings": """\
    job = Job(
        order.rid,  # ), (
        "),"«,»  # ),
«        reply_to=order.reply_to
»    )
    queue.append(job)
""",
    "a string over lines": '''\
    job = Job(
        order.rid,
        """
    ,)
        """,
«        reply_to=order.reply_to,
»    )
    queue.append(job)
''',
    "line continuation": """\
    queue.append(Job(order.rid, \\
        order.text«,
        reply_to=order.reply_to»))
""",
    "line continuation before the call": """\
    job = \\
        Job(order.rid«, reply_to=order.reply_to»)
    queue.append(job)
""",
    "line continuation behind the comma": """\
    job = Job(
        order.rid,«
        reply_to=order.reply_to,» \\
    )
    queue.append(job)
""",
    "nested, both": """\
    job = Job(order.rid, Job(order.rid«, reply_to=order.reply_to»)«, reply_to=order.reply_to»)
    queue.append(job)
""",
    "nested, both, over lines": """\
    job = Job(
        order.rid,
        Job(
            order.rid,
«            reply_to=order.reply_to,
»        ),
«        reply_to=order.reply_to,
»    )
    queue.append(job)
""",
    "two on a line": (
        "    return [Job(order.rid«, reply_to=order.reply_to»),"
        " Job(order.rid, 'ä'«, reply_to=order.reply_to»)]\n"
    ),
    "behind letters of two and four bytes": (
        '    queue.append(("ä𝄞", Job(order.rid, "€𝄞"«, reply_to=order.reply_to»)))  # ä\n'
    ),
    "between semicolons": "    x = 1; queue.append(Job(order.rid«, reply_to=order.reply_to»)); x = 2\n",
    "return": "    return Job(order.rid«, reply_to=order.reply_to»)\n",
    "yield": "    yield Job(order.rid«, reply_to=order.reply_to»)\n",
    "comprehension": "    return [Job(order.rid, n«, reply_to=order.reply_to») for n in range(3)]\n",
    "a generator in an argument": (
        "    return Job(order.rid, sum(n for n in [])«, reply_to=order.reply_to»)\n"
    ),
    "conditional": "    return Job(order.rid«, reply_to=order.reply_to») if queue else None\n",
    "walrus": "    if (job := Job(order.rid«, reply_to=order.reply_to»)).text:\n        queue.append(job)\n",
    "inner function": """\
    def inner(order: Order):
        return Job(order.rid«, reply_to=order.reply_to»)

    return inner(order)
""",
    "decorator of an inner function": """\
    @queue.keep(Job(
        order.rid,
«        reply_to=order.reply_to,
»    ))
    def inner():
        return 1
""",
    "decorator of an inner class": """\
    @queue.keep(Job(order.rid«, reply_to=order.reply_to»))
    class Inner:
        pass
""",
    "base of an inner class": """\
    class Inner(queue.base(Job(order.rid«, reply_to=order.reply_to»)), size=1):
        pass
""",
    "keyword of an inner class": """\
    class Inner(object, job=queue.keep(Job(order.rid«, reply_to=order.reply_to»))):
        pass
""",
    "default of an inner function": """\
    def inner(n, job=Job(order.rid«, reply_to=order.reply_to»), *rest):
        return job
""",
    "default of an inner function, all on one line": """\
    async def inner(n, job=Job(order.rid«, reply_to=order.reply_to»)): return job
""",
    "default behind a star": """\
    def inner(*, n, m=1, job=[Job(order.rid«, reply_to=order.reply_to»)]):
        return job
""",
    "default before a slash": """\
    def inner(job={1: Job(order.rid«, reply_to=order.reply_to»)}, /, n=1):
        return job
""",
    "default of a lambda": """\
    queue.append(lambda n, job=Job(order.rid«, reply_to=order.reply_to»): job)
""",
    "default of a lambda that nobody is given": """\
    keep = lambda job=Job(order.rid«, reply_to=order.reply_to»): queue.append(job)
    keep()
""",
}

# An old parser only searches for where what is in an f-string stands.
F_STRINGS = {
    "one line": "    return f\"{Job(order.rid, 'x'«, reply_to=order.reply_to»)!r}\"\n",
    "the same twice": (
        "    return f'{Job(order.rid«, reply_to=order.reply_to»)}"
        " {Job(order.rid«, reply_to=order.reply_to»)}'\n"
    ),
    "in a call": "    return f'{queue.append(Job(order.rid«, reply_to=order.reply_to»))}'\n",
    "in a format": "    return f'{order.text:{Job(order.rid«, reply_to=order.reply_to»)}}'\n",
    "over lines": '''\
    return f"""
        ä {order.rid}
        {Job(order.rid«, reply_to=order.reply_to»)} )
    """
''',
}

# The newlines of a file: every line of the text that is fixed ends with the next of these.
NEWLINES = {
    "LF": ["\n"],
    "CRLF": ["\r\n"],
    "CR": ["\r"],
}

# Whole files, their bytes as they are.
FILES = {
    "tabs": (
        HEAD.replace("    ", "\t")
        + "\tjob = Job(\n\t\torder.rid,\n«\t\treply_to=order.reply_to,\n»\t)\n\tqueue.append(job)\n"
    ).encode(),
    "mixed indentation": (
        HEAD
        + "    job = Job(\n \t order.rid,\n« \t reply_to=order.reply_to,\n»  \t)\n    queue.append(job)\n"
    ).encode(),
    "mixed newlines, CRLF in the call": (
        HEAD + "    job = Job(\r\n        order.rid,\r\n«        reply_to=order.reply_to,\r\n»    )\r\n"
        "    queue.append(job)\n"
    ).encode(),
    "mixed newlines, LF in the call": (
        HEAD.replace("\n", "\r\n") + "    job = Job(\n        order.rid«,\n        reply_to=order.reply_to»\n"
        "    )\n    queue.append(job)\r\n"
    ).encode(),
    "no final newline": (HEAD + "    queue.append(Job(order.rid«, reply_to=order.reply_to»))").encode(),
    "no final newline, over lines": (
        HEAD + "    return Job(\n        order.rid«,\n        reply_to=order.reply_to»)"
    ).encode(),
    "no final newline, a comment": (
        HEAD + "    return Job(order.rid«, reply_to=order.reply_to»)  # end"
    ).encode(),
    "BOM": b"\xef\xbb\xbf" + (HEAD + "    return Job(order.rid«, reply_to=order.reply_to»)\n").encode(),
    "BOM and CRLF": b"\xef\xbb\xbf"
    + (HEAD + "    return Job(order.rid«, reply_to=order.reply_to»)\n").replace("\n", "\r\n").encode(),
    "utf-8 cookie": (
        "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n"
        + HEAD
        + "    return Job(order.rid, 'ä€'«, reply_to=order.reply_to»)  # ä€\n"
    ).encode(),
    "form feed between functions": (
        HEAD + "    return Job(order.rid«, reply_to=order.reply_to»)\n\f\nx = 1\n"
    ).encode(),
    "spaces at line ends": (
        HEAD + "    return Job(  \n        order.rid,  \n«        reply_to=order.reply_to,\n»    )  \n\n   \n"
    ).encode(),
    "module level": (
        "from model import Job, Order\n\norder = Order('1')\n"
        "queue.append(Job(order.rid«, reply_to=order.reply_to»))\n"
    ).encode(),
}
LATIN = (
    "# coding: latin-1\n" + HEAD + "    return Job(order.rid, 'äöü'«, reply_to=order.reply_to»)  # größer\n"
)


def fixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes) -> bytes:
    """The bytes of a file after fixing; a second time must change nothing and find nothing."""
    write(tmp_path, {"pyproject.toml": "", "model.py": MODEL, "desk.py": data})
    monkeypatch.chdir(tmp_path)
    once = fixes()
    assert [finding.help for finding in once.report.findings] == []
    assert set(new_contents(once)) <= {"desk.py"}
    new = new_contents(once).get("desk.py", data)
    (tmp_path / "desk.py").write_bytes(new)
    again = fixes()
    assert again.contents == {}
    assert again.report.findings == ()
    return new


@pytest.mark.parametrize("newline", NEWLINES)
@pytest.mark.parametrize("name", BODIES)
def test_the_keyword_goes_among_its_like(
    name: str, newline: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (HEAD + BODIES[name]).replace("\n", NEWLINES[newline][0])
    assert before_of(text) != after_of(text)
    assert fixed(tmp_path, monkeypatch, before_of(text).encode()) == after_of(text).encode()


@pytest.mark.parametrize("name", FILES)
def test_every_other_byte_of_the_file_stays(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = FILES[name].decode()
    assert fixed(tmp_path, monkeypatch, before_of(text).encode()) == after_of(text).encode()


def test_a_file_in_latin_1_stays_in_latin_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = fixed(tmp_path, monkeypatch, before_of(LATIN).encode("latin-1"))
    assert new == after_of(LATIN).encode("latin-1")
    assert "größer".encode("latin-1") in new


def test_a_keyword_that_would_change_what_an_f_string_shows_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = (HEAD + '    return f"{Job(order.rid)=}"\n').encode()
    write(tmp_path, {"pyproject.toml": "", "model.py": MODEL, "desk.py": data})
    monkeypatch.chdir(tmp_path)
    once = fixes()
    assert once.contents == {}
    assert [finding.fix for finding in once.report.findings] == [None]


@pytest.mark.parametrize("name", F_STRINGS)
def test_an_f_string_is_edited_where_python_parses_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = HEAD + F_STRINGS[name]
    if sys.version_info >= (3, 12):
        assert fixed(tmp_path, monkeypatch, before_of(text).encode()) == after_of(text).encode()
        return
    write(tmp_path, {"pyproject.toml": "", "model.py": MODEL, "desk.py": before_of(text)})
    monkeypatch.chdir(tmp_path)
    once = fixes(unsafe=True)
    assert once.contents == {}
    assert [finding.fix for finding in once.report.findings] == [None] * text.count("«")


# What no finding speaks of today still has its place: the edit alone.
CALLS = {
    "no arguments": "x = Job(«reply_to=order.reply_to»)\n",
    "spaces in the brackets": "x = Job(«reply_to=order.reply_to»  )\n",
    "a comment in the brackets": "x = Job(«reply_to=order.reply_to»  # nothing (yet)\n)\n",
    "a comment of its own in the brackets": "x = Job(«reply_to=order.reply_to»\n    # nothing yet\n)\n",
    "no arguments, bracketed callee": "x = (Job)(«reply_to=order.reply_to»)\n",
    "no arguments, bracketed twice": "x = ((Job) )(«reply_to=order.reply_to»)\n",
    "no arguments, called callee": "x = Job.at(1)(«reply_to=order.reply_to»)\n",
    "no arguments, a gap before the bracket": "x = Job \\\n    («reply_to=order.reply_to»)\n",
    "`**` last": "x = Job(1«, reply_to=order.reply_to», **known)\n",
    "`**` last, trailing comma": "x = Job(1,« reply_to=order.reply_to,» **known,)\n",
    "`**` last, black": "x = Job(\n    1,\n«    reply_to=order.reply_to,\n»    **known,\n)\n",
    "`**` last, a comment": "x = Job(\n    1,  # 1\n«    reply_to=order.reply_to,\n»    **known,  # 2\n)\n",
    "only `**`": "x = Job(«reply_to=order.reply_to, »**known)\n",
    "only `**`, black": "x = Job(\n    «reply_to=order.reply_to,\n    »**known,\n)\n",
    "only `**`, a comment": "x = Job(  # all\n    # of it\n    «reply_to=order.reply_to,\n    »**known\n)\n",
    "only `**`, spaces": "x = Job( «reply_to=order.reply_to, »** known )\n",
    "two `**`": "x = Job(«reply_to=order.reply_to, »**known, **more)\n",
    "`**` before keywords": "x = Job(**known, a=1«, reply_to=order.reply_to»)\n",
    "`*`": "x = Job(*all«, reply_to=order.reply_to»)\n",
    "`*` and `**`": "x = Job(*all«, reply_to=order.reply_to», **known)\n",
    "`*` behind keywords": "x = Job(a=1, *all«, reply_to=order.reply_to», **known)\n",
    "a generator in brackets": "x = Job((n for n in y)«, reply_to=order.reply_to»)\n",
    "a lambda": "x = Job(lambda: 1«, reply_to=order.reply_to»)\n",
    "a conditional": "x = Job(1 if 2 else 3«, reply_to=order.reply_to»)\n",
    "an assignment": "x = Job(y := 1«, reply_to=order.reply_to»)\n",
    "decorator": "@use(Job(1«, reply_to=order.reply_to»))\ndef f():\n    pass\n",
    "decorator itself": "@Job(\n    1,\n«    reply_to=order.reply_to,\n»)\ndef f():\n    pass\n",
    "default": "def f(job=Job(1«, reply_to=order.reply_to»)):\n    pass\n",
    "lambda default": "x = lambda job=Job(1«, reply_to=order.reply_to»): job\n",
    "class base": "class A(Job(1«, reply_to=order.reply_to»)):\n    pass\n",
    "a gap before the bracket": "x = Job \\\n    (1«, reply_to=order.reply_to»)\n",
}


def added(text: str) -> str | None:
    """A file after adding the keyword to its one call of ``Job`` or what ``Job`` gives."""
    source = Source("x.py", text.encode())
    piece = cut(source, 1, len(source.lines))
    where = spans(piece)
    callees = {n: piece.wrapper.module.code_for_node(n.func) for n in where if isinstance(n, cst.Call)}
    call = max(
        (n for n, callee in callees.items() if "Job" in callee and "use" not in callee),
        key=callees.__getitem__,
    )
    edit = add_argument(Layout(source, where, call, text.encode()), WORD)
    return None if edit is None else edited(source, [edit]).decode()


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("name", CALLS)
def test_every_shape_of_a_call_has_its_place(name: str, newline: str) -> None:
    text = CALLS[name].replace("\n", newline)
    ast.parse(after_of(text))
    assert added(before_of(text)) == after_of(text)


@pytest.mark.parametrize("text", ["x = Job(n for n in y)\n", "x = Job(\n    n  # all\n    for n in y\n)\n"])
def test_a_bare_generator_is_refused(text: str) -> None:
    assert added(text) is None


# Calls that no finding may speak of, or whose fix needs a reader: no byte changes.
UNSURE = {
    "`**` of unknown content": "    queue.append(Job(order.rid, **queue.options))\n",
    "`*` of unknown content": "    queue.append(Job(order.rid, *queue.options))\n",
    "the origin is a call": "    queue.append(Job(queue.pop().rid))\n",
    "the origin is an item": "    queue.append(Job(queue[0].rid))\n",
    "a bare generator": "    queue.append(Job(n for n in order.rid))\n",
    "the origin may be of any class": "    for other in queue:\n        queue.append(Job(other.rid))\n",
}


@pytest.mark.parametrize("name", UNSURE)
def test_what_is_not_sure_is_left_alone(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"pyproject.toml": "", "model.py": MODEL, "desk.py": HEAD + UNSURE[name]})
    monkeypatch.chdir(tmp_path)
    assert fixes().contents == {}
