"""Generated calls: a fix adds one keyword and nothing else, or there is none."""

from __future__ import annotations

import ast
import io
import os
import re
import sys
import tempfile
import tokenize
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.fix.fixing import MODEL, fixes
from tests.trees import write

HEAD = "from model import Job, Order\n\n\ndef admit(order: Order, queue, *args, **kw):\n"

VALUES = ["1", "'),'", '"ä, ("', "order.text", "(order)", "[1, 2]", "queue.of(1, a=2)", "max(*args)"]
VALUES += ["{**kw}", "lambda a, b=1: (a, b)", "sum(n for n in args)", "1 if args else 2", "Order(1, 'x')"]
EQUALS = "\1"  # between a keyword and its value, where there may be a gap, too
FIRST = ["order.rid", f"rid{EQUALS}order.rid", "(order.rid)"]
UNSURE = ["order.rid or 'x'", "str(order.rid)", "queue.pop().rid", "kw['order'].rid"]
UNSURE += ["order.rid for n in args", "n.rid for n in [order]"]  # nothing may stand beside these
STARS = ["*args", "*(1, 2)", "*[]"]
DOUBLE = ["**kw", '**{"text": 1}', "**dict(text=1)", "**{'reply_to': 1}"]

# Where a call may stand. Where it goes to somebody:
PLAIN = [
    "queue.append(JOB)",
    "return JOB",
    "yield JOB  # done",
    "return queue.of(1, JOB, 2)",
    "return (JOB\n)",
]
PLAIN += ["x = y = JOB; queue.append(x)", "if (job := JOB).text: queue.append(job)", "queue.of(a=JOB, **kw)"]
COMPREHENSIONS = ["return [JOB for n in args]", "queue.extend(JOB for n in args)"]
COMPREHENSIONS += ["return {n: JOB for n in args}", "queue.of(*[JOB for n in args if n])"]
HEADS = ["@queue.of(JOB)\ndef inner(): pass", "@queue.at(JOB).of\nasync def inner():\n  return 1"]
HEADS += ["@queue.of(JOB)\nclass Inner(list): pass", "class Inner(queue.of(JOB)):\n  pass"]
HEADS += ["def inner(job=JOB): return job", "def inner(n, *, m=1, job=JOB, **kw):\n  return job"]
HEADS += ["queue.append(lambda n, job=JOB: job)"]
SURE = PLAIN + COMPREHENSIONS + HEADS
# Where it is nested in what may be beyond the parser:
F_STRINGS = ["return f'{JOB}'", 'return f"{JOB!r}" "more"', "queue.append(f'{order.text:{JOB}}')"]
F_STRINGS += ['return f"""\n {args} {JOB:>{len(args)}} )"""', "return f'''{queue.append(JOB)}'''"]
F_STRINGS += ["queue.append(f'{JOB=}')"]
# Where it goes to nobody, or nobody knows when:
OTHER = [
    "JOB",
    "return lambda: JOB",
    "queue.append(lambda n: [n, JOB])",
    "raise ValueError(JOB)",
    "del queue[JOB]",
]
OTHER += ["assert JOB", "return; queue.append(JOB)", "print(JOB, order)", "queue += [JOB]", "return JOB == 1"]
NEWLINES = ["\n", "\r\n", "\r"]
COMMENT = "  # {}, ) ("
HANGING = "\0"  # the column behind the opening bracket


@st.composite
def arguments(draw: st.DrawFn, sure: bool) -> list[str]:
    """The arguments of a call that Python takes, whatever it would do with them."""
    first = draw(st.sampled_from(FIRST if sure else FIRST + UNSURE))
    found = [first]
    rest = ["text", "size"]
    if EQUALS not in first and draw(st.booleans()):
        found.append(draw(st.sampled_from(VALUES)))
        rest.remove("text")
    if not sure and draw(st.integers(0, 5)) == 0:
        found.append(draw(st.sampled_from(STARS)))
    found += [f"{name}{EQUALS}{draw(st.sampled_from(VALUES))}" for name in rest if draw(st.booleans())]
    if not sure and draw(st.integers(0, 5)) == 0:
        found.append(draw(st.sampled_from(DOUBLE)))
    return found


@st.composite
def calls(draw: st.DrawFn, indent: str, sure: bool) -> str:
    """A call in some layout, with comments in some of its gaps."""
    words = draw(arguments(sure))
    layout = draw(st.sampled_from(["line", "lines", "hanging", "black", "any"]))
    inner = indent + draw(st.sampled_from(["    ", "\t", "        ", "  ", ""]))
    comma = "," if draw(st.booleans()) else ""
    number = iter(range(100))

    def gap() -> str:
        kinds = ["", " ", "\n" + inner, f"{COMMENT.format(next(number))}\n{inner}", " \\\n" + inner]
        return draw(st.sampled_from(kinds))

    def comment() -> str:
        return COMMENT.format(next(number)) if draw(st.booleans()) else ""

    if layout == "any":
        words = [word.replace(EQUALS, f"{gap()}={gap()}") for word in words]
        return (
            f"Job{draw(st.sampled_from(['', ' ']))}("
            + ",".join(gap() + w + gap() for w in words)
            + (f",{gap()})" if comma else ")")
        )
    words = [word.replace(EQUALS, "=") for word in words]
    if layout == "line":
        return f"Job({', '.join(words)}{comma})"
    if layout == "black":
        lines = [f"{inner}{word},{comment()}\n" for word in words[:-1]]
        return f"Job({comment()}\n{''.join(lines)}{inner}{words[-1]}{comma}{comment()}\n{indent})"
    between = f",{comment()}\n{HANGING if layout == 'hanging' else inner}"
    return f"Job({between.join(words)}{comma})"


@st.composite
def files(draw: st.DrawFn, frames: list[str], sure: bool) -> str:
    """A file with one call in one function."""
    indent = draw(st.sampled_from(["    ", "\t"]))
    call = draw(calls(indent, sure))
    frame = indent + draw(st.sampled_from(frames)).replace("\n", f"\n{indent}")
    before = frame.partition("JOB")[0].rpartition("\n")[2]
    call = call.replace(HANGING, re.sub(r"[^\t]", " ", f"{before}Job("))
    text = HEAD + frame.replace("JOB", call) + draw(st.sampled_from(["\n", "", "\n\n# end\n"]))
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


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.booleans().flatmap(lambda sure: files(SURE + F_STRINGS + OTHER, sure)))
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


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(files(SURE, True))
def test_what_is_plainly_safe_is_fixed(text: str) -> None:
    """A property that nothing gets as far as would be worth little."""
    assume(parses(text))
    assert once(text)[1:] == (1, 0)


@pytest.mark.parametrize("frame", SURE)
def test_every_place_is_seen(frame: str) -> None:
    """Chance may leave one out."""
    lines = f"{frame}\n".replace("JOB", "Job(order.rid)").splitlines(keepends=True)
    text = HEAD + "".join(f"    {line}" for line in lines)
    assert once(text) == (text.replace("order.rid)", "order.rid, reply_to=order.reply_to)"), 1, 0)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="what stands in an f-string is edited there")
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.booleans().flatmap(lambda sure: files(F_STRINGS, sure)))
def test_in_an_f_string_nothing_is_fixed_where_its_place_is_not_sure(text: str) -> None:
    assume(parses(text))
    assert once(text)[:2] == (text, 0)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(SURE), st.sampled_from(["order.rid", "n.rid"]), st.sampled_from(["{}", "\n  {}  # n\n  "])
)
def test_a_bare_generator_is_left_alone(frame: str, rid: str, layout: str) -> None:
    argument = layout.format(f"{rid} for n in [order]")
    text = HEAD + "    " + frame.replace("\n", "\n    ").replace("JOB", f"Job({argument})") + "\n"
    assert parses(text)
    assert once(text)[:2] == (text, 0)


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
