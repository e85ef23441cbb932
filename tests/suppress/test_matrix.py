"""Which comments silence which findings: all variants in one project, checked by the real command line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.fix.fixing import MODEL
from tests.project import run_check
from tests.trees import write

HEAD = "from model import Job, Order\n\n\ndef admit(order: Order, queue):\n"
ONE = "    queue.append(Job(order.rid))"
LONG = "    queue.append(\n        Job(\n            order.rid,\n        )\n    )"


def long(line: int, comment: str) -> str:
    """The statement over five lines, with a comment at the end of one of them."""
    lines = LONG.split("\n")
    lines[line] += f"  {comment}"
    return "\n".join(lines)


OURS, NOQA = "# ipc-lint: ignore[IPC001]", "# noqa: IPC001"
# What silences the one finding, and is used up by it.
SILENT: dict[str, str] = {
    "ours": f"{ONE}  {OURS}",
    "with a reason": f"{ONE}  {OURS} the job is answered elsewhere, see #12",
    "bare": f"{ONE}  # ipc-lint: ignore",
    "bare with a reason": f"{ONE}  # ipc-lint: ignore answered elsewhere",
    "prefix": f"{ONE}  # ipc-lint: ignore[IPC0]",
    "everything of ours": f"{ONE}  # ipc-lint: ignore[IPC]",
    "name": f"{ONE}  # ipc-lint: ignore[dropped-field]",
    "spaces": f"{ONE}  #ipc-lint :ignore [ IPC001 ]",
    "noqa": f"{ONE}  {NOQA}",
    "noqa with others": f"{ONE}  # noqa: E501,IPC001",
    "noqa without commas": f"{ONE}  # noqa: E501 IPC001",
    "noqa in capitals": f"{ONE}  #NOQA:IPC001",
    "noqa with a reason": f"{ONE}  # noqa: IPC001 answered elsewhere",
    "noqa with a prefix": f"{ONE}  # noqa: IPC0",
    "bare noqa": f"{ONE}  # noqa",
    "bare noqa with words": f"{ONE}  # noqa because",
    "behind another comment": f"{ONE}  # type: ignore  {OURS}",
    "before another comment": f"{ONE}  {OURS}  # type: ignore",
    "two kinds": f"{ONE}  # noqa: E501  {OURS}",
    **{f"line {n} of five": long(n, OURS) for n in range(5)},
    **{f"noqa on line {n} of five": long(n, NOQA) for n in range(5)},
    "alone inside": LONG.replace("        Job", f"        {OURS}\n        Job"),
    "above": f"    {OURS}\n{ONE}",
    "above, another comment between": f"    {OURS}\n    # why not\n{ONE}",
    "above, over five lines": f"    {OURS}\n{LONG}",
    "noqa above": f"    {NOQA}\n{ONE}",
    "above, at another depth": f"    if queue:\n        pass\n        {OURS}\n{ONE}",
    "comprehension": f"    return [\n        Job(n.rid)  {OURS}\n        for n in (order,)\n    ]",
    "end of a comprehension": f"    return [\n        Job(n.rid)\n        for n in (order,)\n    ]  {OURS}",
    "above a comprehension": f"    {OURS}\n    return [Job(n.rid) for n in (order,)]",
    "backslash": f"    queue.\\\n        append(Job(order.rid))  {OURS}",
    "behind a string of several lines": f'    queue.append("""\n    """, Job(order.rid))  {OURS}',
    "two statements on a line": f"    x = 1; queue.append(Job(order.rid))  {OURS}",
    "body on the line of its head": f"    if queue: queue.append(Job(order.rid))  {OURS}",
    "head of a block": f"    if queue.append(Job(order.rid)):  {OURS}\n        pass",
    "decorator": f"    @queue.of(Job(order.rid))  {OURS}\n    def inner(): pass",
    "no final newline": f"{ONE}  {OURS}",
}
# What leaves it there; with the other findings that there are then.
LOUD: dict[str, tuple[str, list[str]]] = {
    "nothing": (ONE, []),
    "another rule": (f"{ONE}  # ipc-lint: ignore[IPC101]", ["IPC901"]),
    "another rule in noqa": (f"{ONE}  # noqa: IPC101", ["IPC901"]),
    "the codes of others": (f"{ONE}  # noqa: E501, IP001", []),
    "noqa without codes": (f"{ONE}  # noqa:", []),
    "noqa with words": (f"{ONE}  # noqa: because", []),
    "unknown code": (f"{ONE}  # ipc-lint: ignore[IPC999]", ["IPC902"]),
    "unknown code in noqa": (f"{ONE}  # noqa: IPC999", ["IPC902"]),
    "mistyped code in noqa": (f"{ONE}  # noqa: IPC0O1", ["IPC902"]),
    "small letters": (f"{ONE}  # ipc-lint: ignore[ipc001]", ["IPC902"]),
    "mistyped word": (f"{ONE}  # ipc-lint: ignroe[IPC001]", ["IPC902"]),
    "another word": (f"{ONE}  # ipc-lint: disable=IPC001", ["IPC902"]),
    "longer word": (f"{ONE}  # ipc-lint: ignored[IPC001]", ["IPC902"]),
    "open bracket": (f"{ONE}  # ipc-lint: ignore[IPC001", ["IPC902"]),
    "no brackets": (f"{ONE}  # ipc-lint: ignore IPC001", ["IPC902"]),
    "empty brackets": (f"{ONE}  # ipc-lint: ignore[]", ["IPC902"]),
    "words about it": (f"{ONE}  # see ipc-lint: ignore[IPC001]", []),
    "in a string": (f'    "{OURS}"; queue.append(Job(order.rid))', []),
    "in a string behind it": (f'    queue.append(Job(order.rid)); "{OURS}"', []),
    "in a string of several lines": (f'    """\n    {OURS}\n    """\n{ONE}', []),
    "in an f-string": (f"    queue.append(Job(order.rid), f'{OURS}')", []),
    "a gap between": (f"    {OURS}\n\n{ONE}", ["IPC901"]),
    "below": (f"{ONE}\n    {OURS}", ["IPC901"]),
    "on the statement before": (f"    x = 1  {OURS}\n{ONE}", ["IPC901"]),
    "head of the block around": (f"    if queue:  {OURS}\n    {ONE}", ["IPC901"]),
    "rule about comments": (f"{ONE}  # ipc-lint: ignore[IPC901]", []),
}
# Without a finding of the code: what is said of the comment.
UNUSED: dict[str, tuple[str, list[str]]] = {
    "ours": (f"    x = 1  {OURS}", ["IPC901"]),
    "bare": ("    x = 1  # ipc-lint: ignore", ["IPC901"]),
    "bare noqa may be for others": ("    x = 1  # noqa", []),
    "noqa": (f"    x = 1  {NOQA}", ["IPC901"]),
    "noqa of others": ("    x = 1  # noqa: E501", []),
    "left alone": ("    x = 1  # ipc-lint: ignore[IPC001, IPC901]", []),
    "unknown, left alone": ("    x = 1  # ipc-lint: ignore[nonsense, unknown-suppression]", []),
    "bare can't hide itself": ("    x = 1  # ipc-lint: ignore\n    # ipc-lint: ignore", ["IPC901"] * 2),
    "one of two": (f"{ONE}  # ipc-lint: ignore[IPC001, IPC102]", ["IPC901"]),
    "a string": (f'    x = "{OURS}"', []),
}


def files() -> Mapping[str, str]:
    """A file for each variant."""
    every = [(f"silent {n}", text) for n, text in SILENT.items()]
    every += [(f"loud {n}", text) for n, (text, _) in LOUD.items()]
    every += [(f"unused {n}", text) for n, (text, _) in UNUSED.items()]
    made = {f"{name.replace(' ', '_')}.py": f"{HEAD}{text}\n" for name, text in every}
    made["silent_no_final_newline.py"] = made["silent_no_final_newline.py"].rstrip("\n")
    return {"model.py": MODEL, ".git/HEAD": "", **made}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("matrix"), files())


@pytest.fixture(scope="module")
def findings(project: Path) -> list[dict[str, Any]]:
    """Everything that is found in all of them, with what is silenced."""
    done = run_check("--output-format", "json", "--show-suppressed", cwd=project)
    report = json.loads(done.stdout)
    assert report["errors"] == []
    found: list[dict[str, Any]] = report["findings"]
    return found


def said_of(name: str, findings: list[dict[str, Any]]) -> tuple[list[str], list[str]]:
    """The codes that are shown and those that are silenced in a variant."""
    mine = [f for f in findings if f["path"] == f"{name.replace(' ', '_')}.py"]
    shown, silenced = (
        [f["code"] for f in mine if (f["suppressed"] is None) is loud] for loud in (True, False)
    )
    return sorted(shown), sorted(silenced)


@pytest.mark.parametrize("name", SILENT)
def test_it_is_silenced(name: str, findings: list[dict[str, Any]]) -> None:
    assert said_of(f"silent {name}", findings) == ([], ["IPC001"])


@pytest.mark.parametrize("name", LOUD)
def test_it_is_not_silenced(name: str, findings: list[dict[str, Any]]) -> None:
    assert said_of(f"loud {name}", findings) == (sorted(["IPC001", *LOUD[name][1]]), [])


@pytest.mark.parametrize("name", UNUSED)
def test_what_silences_nothing_is_reported(name: str, findings: list[dict[str, Any]]) -> None:
    assert said_of(f"unused {name}", findings)[0] == UNUSED[name][1]


def test_the_comment_is_named(findings: list[dict[str, Any]]) -> None:
    (finding,) = [f for f in findings if f["path"] == "silent_with_a_reason.py"]
    assert finding["suppressed"] == f"{OURS} the job is answered elsewhere, see #12"


def test_without_being_asked_nothing_is_shown_of_them(project: Path) -> None:
    done = run_check("--output-format", "concise", "silent_ours.py", cwd=project)
    assert (done.returncode, done.stdout) == (0, "")
    assert "; 1 suppressed" in done.stderr
    done = run_check("--output-format", "concise", "--show-suppressed", "silent_ours.py", cwd=project)
    assert done.returncode == 0
    assert done.stdout.startswith("silent_ours.py:5:18: IPC001 [suppressed] ")


def test_line_ends_and_encodings_make_no_difference(tmp_path: Path) -> None:
    text = f"{HEAD}{ONE}  {OURS}\n{LONG}  {OURS} größer\n"
    write(
        tmp_path,
        {
            "model.py": MODEL,
            "crlf.py": text.replace("\n", "\r\n"),
            "cr.py": text.replace("\n", "\r"),
            "bom.py": b"\xef\xbb\xbf" + text.encode(),
            "latin.py": ("# coding: latin-1\n" + text).encode("latin-1"),
            "feed.py": text.replace("\n\n\n", "\n\f\n\n"),
        },
    )
    done = run_check(cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert "; 10 suppressed" in done.stderr
