from __future__ import annotations

import ast
import sys
from pathlib import Path

import libcst as cst
import pytest
from hypothesis import given
from hypothesis import strategies as st
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

from ipc_lint.files.source import Source, Unreadable, decode
from ipc_lint.model import Span


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a = 1\n", "a = 1\n"),
        ("# é\n".encode(), "# é\n"),
        (b"\xef\xbb\xbfa\n", "a\n"),
        (b"\xef\xbb\xbf# coding: utf-8\n", "# coding: utf-8\n"),
        (b"# -*- coding: latin-1 -*-\n# \xe9\n", "# -*- coding: latin-1 -*-\n# é\n"),
        (b"#!/bin/sh\n# vim: set fileencoding=cp1252 :\n# \x80\n", None),
        (b"#\r# coding: latin-1\r# \xe9\r", "#\r# coding: latin-1\r# é\r"),
        (b"\n\n# coding: latin-1\n", "\n\n# coding: latin-1\n"),
        (b"coding = 'latin-1'\n# coding: latin-1\n", "coding = 'latin-1'\n# coding: latin-1\n"),
        (b"", ""),
    ],
)
def test_text_is_what_python_would_read(data: bytes, text: str | None) -> None:
    assert decode(data) == (
        text if text is not None else "#!/bin/sh\n# vim: set fileencoding=cp1252 :\n# €\n"
    )
    compile(data, "x.py", "exec")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a\r\nb\rc\0\n", "line 3: a NUL byte: this is not Python source text"),
        ("a = 1\n".encode("utf-16"), "line 1: a NUL byte: this is not Python source text"),
        (b"a\n# \xe9\n", "line 2: byte 0xe9 is not valid utf-8"),
        (b"# coding: ascii\n\n# \xe9\n", "line 3: byte 0xe9 is not valid ascii"),
        (b"# coding: klingon\n", "unknown encoding: klingon"),
        (b"# coding: hex\n", "hex is not an encoding of text"),
        (b"\xef\xbb\xbf# coding: latin-1\n", "encoding problem: utf-8"),
    ],
)
def test_what_is_no_text_has_one_line_of_reason(data: bytes, message: str) -> None:
    with pytest.raises(Unreadable) as caught:
        _ = Source("x.py", data).text
    assert caught.value.message == message


def test_read_says_why_the_system_refuses(tmp_path: Path) -> None:
    with pytest.raises(Unreadable) as caught:
        Source.read(str(tmp_path))
    assert caught.value.message == "cannot be read: Is a directory"


def test_lines_break_where_the_tokenizer_breaks() -> None:
    text = "a\x0cb\n'\x0b\x1c\x85\u2028'\r\nc\rd"
    assert Source("x.py", text.encode()).lines == ["a\x0cb\n", "'\x0b\x1c\x85\u2028'\r\n", "c\r", "d"]


@given(st.lists(st.sampled_from(["x = 1", "\x0c", "# \x0b\x1c\u2028", "\n", "\r", "\r\n", "'é'"])))
def test_line_numbers_are_those_of_ast(parts: list[str]) -> None:
    text = "\n".join(parts) + "\nlast = 1"
    source = Source("x.py", text.encode())
    try:
        tree = source.parse()
    except Unreadable:
        return
    last = tree.body[-1]
    assert len(source.lines) == last.lineno
    assert source.lines[-1] == "last = 1"


def test_columns_count_code_points() -> None:
    source = Source("x.py", "x = 'é𝔘', yy\n".encode())
    (statement,) = source.parse().body
    assert isinstance(statement, ast.Assign)
    assert isinstance(statement.value, ast.Tuple)
    name = statement.value.elts[1]
    assert source.column(name.lineno, name.col_offset) == 11
    assert name.end_col_offset is not None
    assert source.span(1, name.col_offset, 1, name.end_col_offset) == Span(1, 11, 1, 13)


def test_columns_of_another_encoding_and_after_a_form_feed() -> None:
    source = Source("x.py", b"# coding: latin-1\r\n\x0c'\xe9', b\r\n")
    (statement,) = source.parse().body
    assert isinstance(statement, ast.Expr)
    assert isinstance(statement.value, ast.Tuple)
    name = statement.value.elts[1]
    assert (name.lineno, source.column(name.lineno, name.col_offset)) == (2, 7)


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_offsets_are_those_of_libcst(bom: bytes, newline: str) -> None:
    text = newline.join(["é = 1", "if 1:", "    'ß', ff(a)", ""])
    source = Source("x.py", bom + text.encode())
    wrapper = MetadataWrapper(cst.parse_module(source.data))
    spans = wrapper.resolve(ByteSpanPositionProvider)
    (call,) = (node for node in spans if isinstance(node, cst.Call))
    start, length = spans[call].start, spans[call].length
    assert source.span_at(start, start + length) == Span(3, 10, 3, 15)
    assert source.offset(3, len("    'ß', ".encode())) == start


def test_the_end_of_the_text_has_a_position() -> None:
    source = Source("x.py", b"a\nb\n")
    assert source.span_at(2, 4) == Span(2, 1, 3, 1)


@pytest.mark.filterwarnings("error")
def test_parse_warns_of_nothing() -> None:
    assert Source("x.py", b"'\\d' is 1\n").parse().body


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(:\n", "line 1, column 7: invalid syntax"),
        ("x = 1\ny = = 2\n", "line 2, column 5: invalid syntax"),
        ("é = (1 +) + 'é\n", "line 1, column 13: unterminated string literal (detected at line 1)"),
    ],
)
def test_parse_says_where_and_why(text: str, message: str) -> None:
    with pytest.raises(Unreadable) as caught:
        Source("x.py", text.encode()).parse()
    assert caught.value.message == message


ATTRIBUTES = pytest.param(
    "a" + ".a" * 100_000, marks=pytest.mark.skipif(sys.version_info < (3, 11), reason="3.10 parses it")
)


@pytest.mark.parametrize("text", ["-" * 100_000 + "1", ATTRIBUTES, "(" * 500 + ")" * 500])
def test_what_is_too_deep_is_unreadable_in_one_line(text: str) -> None:
    with pytest.raises(Unreadable) as caught:
        Source("x.py", text.encode()).parse()
    assert "nested" in caught.value.message
    assert "\n" not in caught.value.message
