from __future__ import annotations

import ast
import sys

import pytest

from ipc_lint.files.syntax import newer_syntax, why

OLDEST = (3, 10)

NEWER = {
    "try:\n    f()\nexcept* E:\n    pass\n": (3, 11),
    "a[*b]\n": (3, 11),
    "def f(*a: *T): pass\n": (3, 11),
    "type X = int\n": (3, 12),
    "def f[T](x: T): pass\n": (3, 12),
    "class C[T]: pass\n": (3, 12),
    "f'{a['b']}'\n": (3, 12),
    "f'{'\\n'.join(x)}'\n": (3, 12),
    'f"""{\n  a  # why\n}"""\n': (3, 12),
    "f'{\na\n}'\n": (3, 12),
    "def f[T = int](x: T): pass\n": (3, 13),
    "t'{a}'\n": (3, 14),
    "try:\n    f()\nexcept A, b.C:\n    pass\n": (3, 14),
    "x = [*a for a in b]\n": (3, 15),
    "type X = int\nt'{a}'\n": (3, 14),
}


@pytest.mark.parametrize("text", NEWER)
def test_newer_syntax_is_known_by_its_version(text: str) -> None:
    needed = newer_syntax(text, OLDEST)
    assert needed is not None
    assert needed[0] == NEWER[text]
    assert newer_syntax(text, NEWER[text]) is None


@pytest.mark.parametrize(("text", "version"), NEWER.items())
def test_the_table_agrees_with_the_running_python(text: str, version: tuple[int, int]) -> None:
    try:
        ast.parse(text)
    except SyntaxError:
        assert version > sys.version_info[:2]
    else:
        assert version <= sys.version_info[:2]


@pytest.mark.parametrize(
    "text",
    [
        "print 'Python 2'\n",
        "try:\n    f()\nexcept Error, error:\n    pass\n",  # Python 2, too
        "type X = \n",
        "f'{a['b'}'\n",
        "class C[T]:\n",
        "f'{x!r:>{width}}' f'''{\na}''' rf'\\d{x}'\n",
        "try:\n    f()\nexcept (A, B):\n    pass\n",
        "match x:\n    case [*_]:\n        pass\n",
    ],
)
def test_what_is_broken_or_old_is_not_called_newer(text: str) -> None:
    assert newer_syntax(text, OLDEST) is None


def test_the_message_names_the_python_that_is_needed() -> None:
    error = SyntaxError("invalid syntax", ("x.py", 1, 6, "type X = int\n"))
    assert why(error, "type X = int\n", (3, 11)) == (
        "line 1, column 6: needs Python 3.12 or newer (type statement), this is 3.11"
    )


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (RecursionError("maximum\ndepth"), "nested too deeply for Python 3.11 to parse"),
        (MemoryError(), "nested too deeply for Python 3.11 to parse"),
        (ValueError("source code\nis odd"), "source code is odd"),
        (OverflowError(), "OverflowError"),
        (SyntaxError("no\nplace"), "no place"),
        (SyntaxError("bad", ("x.py", 3, 0, None)), "line 3, column 1: bad"),
    ],
)
def test_any_exception_becomes_one_line(error: Exception, message: str) -> None:
    assert why(error, "1 1", (3, 11)) == message
