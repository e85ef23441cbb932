"""Suppressions taken out by ``--fix`` and put in by ``--add-ignores``: only comments change."""

from __future__ import annotations

import ast
import tokenize
from pathlib import Path

import pytest

from tests.fix.fixing import MODEL, after_of, before_of
from tests.project import codes_of_concise as codes
from tests.project import run_check
from tests.trees import write

HEAD = "from model import Job, Order\n\n\ndef admit(order: Order, queue):\n"

# What is taken out stands between « and ».
TAKEN: dict[str, str] = {
    "whole": "    x = 1«  # ipc-lint: ignore[IPC001] why»\n",
    "bare": "    x = 1« # ipc-lint: ignore»\n",
    "alone": "    x = 1\n«    # ipc-lint: ignore[IPC001]\n»    y = 2\n",
    "two alone": "«    # ipc-lint: ignore[IPC001]\n»«    # ipc-lint: ignore[IPC101]\n»    y = 2\n",
    "alone at the end": "    x = 1\n«    # ipc-lint: ignore[IPC001]»",
    "noqa": "    x = 1«  # noqa: IPC001»\n",
    "one of noqa": "    x = 1  # noqa: E501«,IPC001»\n",
    "first of noqa": "    x = 1  # noqa: «IPC001, »E501\n",
    "middle of noqa": "    x = 1  # noqa: E501 «IPC001 »W291 and why\n",
    "before another": "    x = 1  «# noqa: IPC001  »# type: ignore\n",
    "behind another": "    x = 1  # type: ignore«  # ipc-lint: ignore»\n",
    "between": "    x = 1  # a«  # noqa: IPC001»  # b\n",
    "trailing blanks": "    x = 1«  # ipc-lint: ignore  »\n",
    "one of ours": "    queue.append(Job(order.rid))  # ipc-lint: ignore[IPC001«, IPC102»] why\n",
    "two of ours": "    queue.append(Job(order.rid))  # ipc-lint: ignore[«IPC102,»IPC001«,IPC101»]\n",
    "inside": "    f(  «# ipc-lint: ignore[IPC001]»\n        1)\n".replace("(  «", "(«  "),
}


def of(marked: str, *, before: bool) -> str:
    return after_of(marked) if before else before_of(marked)


@pytest.mark.parametrize("name", TAKEN)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_fix_takes_out_what_silences_nothing(name: str, newline: str, tmp_path: Path) -> None:
    old, new = (of(TAKEN[name], before=before) for before in (True, False))
    data = (HEAD + old).replace("\n", newline).encode()
    write(tmp_path, {"model.py": MODEL, "desk.py": data})
    done = run_check("--fix", ".", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    text = (tmp_path / "desk.py").read_bytes().decode()
    assert text == (HEAD + new).replace("\n", newline)
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(data))


def test_fix_makes_a_fix_and_takes_out_a_comment_of_one_statement(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "model.py": MODEL,
            "desk.py": f"{HEAD}    queue.append(Job(order.rid))  # ipc-lint: ignore[IPC101]\n",
        },
    )
    done = run_check("--fix", ".", cwd=tmp_path)
    assert done.returncode == 0
    assert "Fixed 2 of 2" in done.stderr
    assert (
        tmp_path / "desk.py"
    ).read_text() == f"{HEAD}    queue.append(Job(order.rid, reply_to=order.reply_to))\n"


@pytest.mark.parametrize("args", [["--select", "IPC001,IPC9"], ["--ignore", "IPC101"]])
def test_the_code_of_a_rule_that_is_not_asked_for_is_not_unused(args: list[str], tmp_path: Path) -> None:
    comments = ("# ipc-lint: ignore[IPC101]", "# ipc-lint: ignore", "# noqa: IPC1")
    text = HEAD + "".join(f"    x = 1  {comment}\n" for comment in comments)
    write(tmp_path, {"model.py": MODEL, "desk.py": text})
    done = run_check(*args, ".", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")


def test_where_no_class_has_the_field_nothing_is_unused(tmp_path: Path) -> None:
    """Whoever forgets ``--field`` must not lose all suppressions."""
    write(tmp_path, {"model.py": MODEL, "desk.py": f"{HEAD}    x = 1  # ipc-lint: ignore[IPC001]\n"})
    assert run_check(".", cwd=tmp_path).returncode == 1
    done = run_check("--fix", ".", cwd=tmp_path, field="return_to")
    assert done.returncode == 0
    assert "ignore" in (tmp_path / "desk.py").read_text()


def test_a_file_that_can_not_be_read_has_no_unused_ones(tmp_path: Path) -> None:
    write(
        tmp_path, {"model.py": MODEL, "desk.py": f"{HEAD}    x = 1  # ipc-lint: ignore\n    reply_to = (\n"}
    )
    done = run_check("--output-format", "concise", ".", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")


# ------------------------------------------------------------------------- --add-ignores

# What is put in stands between « and ».
C = "# ipc-lint: ignore[IPC001]"
ADDED: dict[str, str] = {
    "one line": f"    queue.append(Job(order.rid))«  {C}»\n",
    "five lines": f"    queue.append(«  {C}»\n        Job(\n            order.rid,\n        )\n    )\n",
    "another comment": f"    queue.append(Job(order.rid))  # noqa: E501«  {C}»\n",
    "our own": "    queue.append(Job(order.rid))  # ipc-lint: ignore[IPC201«, IPC001»] why\n",
    "a string": f'    queue.append("""\n    """, Job(order.rid))«  {C}»\n',
    "an f-string": f"    queue.append(f'''{{order}}\n    ''', Job(order.rid))«  {C}»\n",
    "a backslash": f"    queue.\\\n        append(Job(order.rid))«  {C}»\n",
    "two in one": f"    queue.append([Job(order.rid),«  {C}»\n        Job(order.rid)])\n",
    "no final newline": f"    queue.append(Job(order.rid))«  {C}»",
    "trailing blanks": f"    queue.append(Job(order.rid))«  {C}»  \n",
    "no ASCII": f'    queue.append("größer", Job(order.rid))«  {C}»\n',
}


@pytest.mark.parametrize("name", ADDED)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_add_ignores_writes_a_comment(name: str, newline: str, tmp_path: Path) -> None:
    data = (HEAD + before_of(ADDED[name])).replace("\n", newline).encode()
    write(tmp_path, {"model.py": MODEL, "desk.py": data})
    args = ("--ignore", "IPC901", ".")
    done = run_check("--add-ignores", *args, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    first = (tmp_path / "desk.py").read_bytes()
    assert first.decode() == (HEAD + after_of(ADDED[name])).replace("\n", newline)
    again = run_check("--add-ignores", *args, cwd=tmp_path)
    assert again.returncode == 0
    assert (tmp_path / "desk.py").read_bytes() == first
    with (tmp_path / "desk.py").open("rb") as file:
        list(tokenize.tokenize(file.readline))


def test_add_ignores_leaves_what_is_about_comments(tmp_path: Path) -> None:
    write(tmp_path, {"model.py": MODEL, "desk.py": f"{HEAD}    x = 1  # ipc-lint: ignore[IPC777]\n"})
    done = run_check("--add-ignores", "--output-format", "concise", ".", cwd=tmp_path)
    assert done.returncode == 1
    assert codes(done.stdout) == ["IPC902"]


def test_add_ignores_shown_as_a_difference_changes_nothing(tmp_path: Path) -> None:
    text = f"{HEAD}    queue.append(Job(order.rid))\n"
    write(tmp_path, {"model.py": MODEL, "desk.py": text})
    done = run_check("--add-ignores", "--diff", ".", cwd=tmp_path)
    assert done.returncode == 1
    assert f"+    queue.append(Job(order.rid))  {C}\n" in done.stdout
    assert done.stderr.startswith("Would silence 1 of 1 fault, 2 files checked")
    assert (tmp_path / "desk.py").read_text() == text


@pytest.mark.parametrize("other", ["--fix", "--verbose"])
def test_add_ignores_goes_alone(other: str, tmp_path: Path) -> None:
    done = run_check("--add-ignores", other, ".", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Try `ipc-lint check --help`." in done.stderr
