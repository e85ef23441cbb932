"""Generated calls: a fix adds one keyword and nothing else, or there is none."""

from __future__ import annotations

import ast
import io
import os
import tempfile
import tokenize
from pathlib import Path

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.fix.fixing import MODEL, fixes
from tests.trees import write

HEAD = "from model import Job, Order\n\n\ndef admit(order: Order, queue, *args, **kw):\n"

VALUES = ["1", "'),'", '"ä, ("', "order.text", "(order)", "[1, 2]", "queue.of(1, a=2)", "max(*args)"]
VALUES += ["{**kw}", "lambda a, b=1: (a, b)", "sum(n for n in args)", "1 if args else 2", "Order(1, 'x')"]
FIRST = ["order.rid", "rid=order.rid", "(order.rid)"]
UNSURE = ["order.rid or 'x'", "str(order.rid)", "queue.pop().rid", "kw['order'].rid"]
STARS = ["*args", "*(1, 2)", "*[]"]
DOUBLE = ["**kw", '**{"text": 1}', "**dict(text=1)", "**{'reply_to': 1}"]
FRAMES = ["{}", "queue.append({})", "return {}", "return [{} for n in args]", "x = y = {}; queue.append(x)"]
FRAMES += [
    "if (job := {}).text: queue.append(job)",
    "yield {}  # done",
    "return queue.of(1, {}, 2)",
    "return ({}\n    )",
]
NEWLINES = ["\n", "\r\n", "\r"]
COMMENT = "  # {}, ) ("


@st.composite
def arguments(draw: st.DrawFn, sure: bool) -> list[str]:
    """The arguments of a call that Python takes, whatever it would do with them."""
    first = draw(st.sampled_from(FIRST if sure else FIRST + UNSURE))
    found = [first]
    rest = ["text", "size"]
    if "=" not in first and draw(st.booleans()):
        found.append(draw(st.sampled_from(VALUES)))
        rest.remove("text")
    if not sure and draw(st.integers(0, 5)) == 0:
        found.append(draw(st.sampled_from(STARS)))
    found += [f"{name}={draw(st.sampled_from(VALUES))}" for name in rest if draw(st.booleans())]
    if not sure and draw(st.integers(0, 5)) == 0:
        found.append(draw(st.sampled_from(DOUBLE)))
    return found


@st.composite
def calls(draw: st.DrawFn, indent: str, sure: bool) -> str:
    """A call in some layout, with comments in some of its gaps."""
    words = draw(arguments(sure))
    comma = draw(st.booleans())
    layout = draw(st.sampled_from(["line", "lines", "black", "any"]))
    inner = indent + draw(st.sampled_from(["    ", "\t", "        ", "  ", ""]))
    number = iter(range(100))

    def gap() -> str:
        kinds = ["", " ", "\n" + inner, f"{COMMENT.format(next(number))}\n{inner}", " \\\n" + inner]
        return draw(st.sampled_from(kinds))

    def comment() -> str:
        return COMMENT.format(next(number)) if draw(st.booleans()) else ""

    last = "," if comma else ""
    if layout == "line":
        return f"Job({', '.join(words)}{last})"
    if layout == "lines":
        return f"Job({(f',{comment()}' + chr(10) + inner).join(words)}{last})"
    if layout == "black":
        lines = [
            f"{inner}{word}{',' if comma or n < len(words) - 1 else ''}{comment()}\n"
            for n, word in enumerate(words)
        ]
        return f"Job({comment()}\n{''.join(lines)}{indent})"
    return "Job(" + ",".join(gap() + word + gap() for word in words) + (f",{gap()}" if comma else "") + ")"


@st.composite
def files(draw: st.DrawFn, sure: bool) -> str:
    """A file with one call in one function."""
    indent = draw(st.sampled_from(["    ", "\t"]))
    call = draw(calls(indent, sure))
    text = HEAD + indent + draw(st.sampled_from(FRAMES[1:] if sure else FRAMES)).replace("{}", call)
    text += draw(st.sampled_from(["\n", "", "\n\n# end\n"]))
    return text.replace("\n", draw(st.sampled_from(NEWLINES)))


def comments(text: str) -> list[str]:
    """The comments in order."""
    lines = io.StringIO(text.replace("\r\n", "\n").replace("\r", "\n"))
    return [t.string for t in tokenize.generate_tokens(lines.readline) if t.type == tokenize.COMMENT]


class Strip(ast.NodeTransformer):
    """Takes the field's keyword out of the calls that have it with the expected value."""

    def __init__(self) -> None:
        self.count = 0

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Only a keyword that a fix may add."""
        self.generic_visit(node)
        kept = [k for k in node.keywords if (k.arg, ast.unparse(k.value)) != ("reply_to", "order.reply_to")]
        self.count += len(node.keywords) - len(kept)
        node.keywords = kept
        return node


def once(text: str) -> tuple[str, int, int]:
    """A text after fixing; how many faults were fixed, and how many are left."""
    home = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), {"pyproject.toml": "", "model.py": MODEL, "desk.py": text})
        os.chdir(folder)
        try:
            fixed = fixes()
        finally:
            os.chdir(home)
    contents = new_contents_of(fixed.contents, text)
    return contents, fixed.count, len(fixed.report.findings)


def new_contents_of(contents: dict[str, tuple[bytes, bytes]], text: str) -> str:
    """The new text of the only file that may change."""
    assert {Path(path).name for path in contents} <= {"desk.py"}
    return next((new.decode() for _, new in contents.values()), text)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.booleans().flatmap(files))
def test_a_fix_adds_one_keyword_and_nothing_else(text: str) -> None:
    assume(parses(text))
    new, count, left = once(text)
    if new == text:
        assert count == 0
        return
    assert count == 1
    assert left == 0
    strip = Strip()
    assert ast.dump(strip.visit(ast.parse(new))) == ast.dump(ast.parse(text))
    assert strip.count == 1
    assert comments(new) == comments(text)
    assert is_subsequence(text, new)
    assert once(new) == (new, 0, 0)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(files(True))
def test_what_is_plainly_safe_is_fixed(text: str) -> None:
    """A property that nothing gets as far as would be worth little."""
    assume(parses(text))
    assert once(text)[1] == 1


def parses(text: str) -> bool:
    """Whether Python takes the text."""
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def is_subsequence(old: str, new: str) -> bool:
    """Whether the new text is the old one with something inserted."""
    rest = iter(new)
    return all(letter in rest for letter in old)
