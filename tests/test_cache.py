"""The cache: what is remembered, what is refused, and that it does no harm."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ipc_lint import checking
from ipc_lint.cache import Cache, clean, key_of
from ipc_lint.engine import check
from ipc_lint.files import contents
from ipc_lint.judge import judge
from ipc_lint.settings import Settings
from tests.project import run, run_check
from tests.server import WIRE
from tests.trees import write

VALUES = [None, 0, "ä", [1, [2]], {"findings": [{"line": 1}], "problems": []}]


@pytest.mark.parametrize("value", VALUES)
def test_what_is_stored_is_loaded(tmp_path: Path, value: object) -> None:
    Cache(str(tmp_path / "cache")).store("k", value)
    assert Cache(str(tmp_path / "cache")).load("k") == value
    assert Cache(str(tmp_path / "cache")).load("other") is None


def test_the_folder_tells_git_and_backups_to_pass_it_over(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    Cache(str(folder)).store("k", 1)
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    done = subprocess.run(["git", "status", "--porcelain"], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == ""
    assert (folder / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")


@pytest.mark.parametrize("cut", [0, 1, 10, 33, -1])
def test_a_truncated_entry_is_none(tmp_path: Path, cut: int) -> None:
    Cache(str(tmp_path)).store("k", {"findings": []})
    (entry,) = tmp_path.glob("*.json")
    entry.write_bytes(entry.read_bytes()[:cut])
    assert Cache(str(tmp_path)).load("k") is None
    Cache(str(tmp_path)).store("k", 2)
    assert Cache(str(tmp_path)).load("k") == 2


@given(st.binary(max_size=200))
def test_a_foreign_entry_is_none(data: bytes) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "k.json").write_bytes(data)
        assert Cache(folder).load("k") is None


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anything")
def test_a_folder_that_cannot_be_written_is_as_good_as_none(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    Cache(str(tmp_path / "cache")).store("k", 1)
    assert Cache(str(tmp_path / "cache")).load("k") is None


def test_a_file_in_the_place_of_the_folder_is_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("mine")
    Cache(str(tmp_path / "cache")).store("k", 1)
    assert Cache(str(tmp_path / "cache")).load("k") is None
    assert (tmp_path / "cache").read_text() == "mine"


def test_the_oldest_entries_go(tmp_path: Path) -> None:
    for number in range(25):
        Cache(str(tmp_path)).store(f"k{number}", "x" * 1_000_000)
        os.utime(tmp_path / f"k{number}.json", (number, number))
    Cache(str(tmp_path)).store("k25", "x")
    left = {path.stem for path in tmp_path.glob("*.json")}
    assert left == {f"k{number}" for number in range(6, 26)}


def test_only_a_cache_is_cleaned(tmp_path: Path) -> None:
    Cache(str(tmp_path / "cache")).store("k", 1)
    (tmp_path / "mine").mkdir()
    assert (clean(str(tmp_path / "cache")), clean(str(tmp_path / "mine"))) == (True, False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine"]


def test_every_part_of_a_key_counts() -> None:
    keys = [key_of(parts) for parts in (["a"], ["a", ""], ["", "a"], [], ["ab"], ["a", "b"], ["b", "a"])]
    assert len(set(keys)) == len(keys)


WRITER = """
import sys
from ipc_lint.cache import Cache
for n in range(300):
    Cache(sys.argv[1]).store("k", {"n": n, "text": "x" * 20000})
    found = Cache(sys.argv[1]).load("k")
    assert found is not None and len(found["text"]) == 20000
"""


def test_many_processes_at_once_see_whole_entries(tmp_path: Path) -> None:
    processes = [subprocess.Popen([sys.executable, "-c", WRITER, tmp_path]) for _ in range(4)]
    assert [process.wait() for process in processes] == [0] * 4


def test_a_writer_that_is_killed_leaves_a_whole_entry(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", WRITER, tmp_path]) as process:
        while not (tmp_path / "k.json").exists():
            assert process.poll() is None
        process.kill()
    assert Cache(str(tmp_path)).load("k") is not None


def test_an_entry_is_plain_json_behind_its_hash(tmp_path: Path) -> None:
    Cache(str(tmp_path)).store("k", [1])
    head, body = (tmp_path / "k.json").read_bytes().split(b"\n")
    assert len(head) == 32
    assert json.loads(body) == [1]


# ------------------------------------------------------------------ over the command line

FILES = {
    "wire.py": WIRE,
    "desk.py": """\
from wire import Job, Message


def admit(message: Message, queue):
    queue.append(Job(message.rid))
""",
}
OPTIONS = ("--no-preset", "--field", "reply_to", "--output-format", "json")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    return write(tmp_path, FILES)


def entries(root: Path) -> list[Path]:
    return sorted((root / ".ipc_lint_cache").glob("*.json"))


def mark(root: Path) -> None:
    """Make what is remembered tell itself from what is found: a line further up is the fault."""
    (entry,) = entries(root)
    _, body = entry.read_text().split("\n")
    Cache(str(entry.parent)).store(entry.stem, json.loads(body.replace('"line":5,', '"line":4,')))


def lines(root: Path, *options: str) -> list[int]:
    found = json.loads(run_check(*OPTIONS, *options, cwd=root).stdout)
    return [finding["line"] for finding in found["findings"]]


def test_a_second_run_says_the_same_and_checks_nothing(checkout: Path) -> None:
    first = run_check(*OPTIONS, cwd=checkout)
    mark(checkout)
    assert run_check(*OPTIONS, cwd=checkout).stdout == first.stdout.replace('"line": 5,', '"line": 4,')
    assert run_check(*OPTIONS, "--no-cache", cwd=checkout).stdout == first.stdout


def test_one_file_is_answered_out_of_the_result_for_all(checkout: Path) -> None:
    assert lines(checkout) == [5]
    mark(checkout)
    assert lines(checkout, "desk.py") == [4]
    assert lines(checkout, "wire.py") == []
    assert len(entries(checkout)) == 1


def test_the_result_for_one_file_is_not_that_for_all(checkout: Path) -> None:
    assert lines(checkout, "wire.py") == []
    assert lines(checkout) == [5]


OTHER = "def greet():\n    return 'good day'\n"


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("other.py", OTHER + "\n\ngreet()\n", 4),  # nothing in it that was looked for
        ("wire.py", FILES["wire.py"], 4),  # touched, and the same
        ("other.py", OTHER.replace("good day", "reply_to"), 5),  # the field
        ("other.py", "import wire\n" + OTHER, 5),  # a module that has carriers
        ("other.py", OTHER + "# ipc-lint: ignore[IPC001]\n", 5),  # a suppression
        ("wire.py", FILES["wire.py"] + "\n", 5),
    ],
)
def test_a_result_holds_until_a_word_that_counts_is_touched(
    checkout: Path, name: str, text: str, line: int
) -> None:
    write(checkout, {"other.py": OTHER})
    assert lines(checkout) == [5]
    mark(checkout)
    write(checkout, {name: text})
    assert [found for found in lines(checkout) if found > 3] == [line]


def test_a_file_that_comes_or_goes_counts(checkout: Path) -> None:
    write(checkout, {"other.py": OTHER})
    lines(checkout)
    mark(checkout)
    (checkout / "other.py").unlink()
    assert lines(checkout) == [5]


def test_a_file_that_looks_the_same_is_not_read(checkout: Path) -> None:
    write(checkout, {"other.py": OTHER})
    for path in checkout.glob("*.py"):
        os.utime(path, (1, 1))
    moment = (checkout / "other.py").stat()
    time.sleep(2.1)  # what was changed just now says nothing yet
    lines(checkout)
    mark(checkout)
    assert lines(checkout) == [4]
    # The time that a system call can't set back tells.
    (checkout / "other.py").write_text(OTHER.replace("good day", "reply_to"))
    os.utime(checkout / "other.py", ns=(moment.st_atime_ns, moment.st_mtime_ns))
    assert (checkout / "other.py").stat().st_size == moment.st_size
    assert lines(checkout) == [5]


@pytest.mark.parametrize("options", [("--field", "rid"), ("--config", "other.toml")])
def test_what_the_result_depends_on_makes_another_entry(checkout: Path, options: tuple[str, ...]) -> None:
    write(checkout, {"other.toml": 'ignore-functions = ["desk.*"]\n'})
    run_check(*OPTIONS, cwd=checkout)
    run_check(*OPTIONS, *options, cwd=checkout)
    assert len(entries(checkout)) == 2


def test_what_is_selected_and_silenced_is_decided_anew(checkout: Path) -> None:
    assert len(json.loads(run_check(*OPTIONS, cwd=checkout).stdout)["findings"]) == 1
    assert json.loads(run_check(*OPTIONS, "--ignore", "IPC001", cwd=checkout).stdout)["findings"] == []
    assert len(entries(checkout)) == 1


def test_a_field_that_is_named_twice_is_followed_once(checkout: Path) -> None:
    done = run_check(*OPTIONS, "--field", "reply_to", cwd=checkout)
    assert len(json.loads(done.stdout)["findings"]) == 1


def test_a_changed_class_judges_those_who_use_it_anew(checkout: Path) -> None:
    assert len(json.loads(run_check(*OPTIONS, cwd=checkout).stdout)["findings"]) == 1
    write(checkout, {"wire.py": FILES["wire.py"].replace("Job(Message)", "Job")})
    assert json.loads(run_check(*OPTIONS, cwd=checkout).stdout)["findings"] == []


def test_a_spoiled_entry_is_written_anew(checkout: Path) -> None:
    first = run_check(*OPTIONS, cwd=checkout)
    (entry,) = entries(checkout)
    whole = entry.read_bytes()
    result = json.loads(whole.split(b"\n")[1])["result"]
    for spoiled in (whole[:-1], b"", b"{}", whole[:33] + b'{"findings":[{}]}'):
        entry.write_bytes(spoiled)
        assert run_check(*OPTIONS, cwd=checkout).stdout == first.stdout
        assert json.loads(entry.read_bytes().split(b"\n")[1])["result"] == result


RESULT: dict[str, object] = {"findings": [], "problems": [], "declared": []}
SHAPES: list[object] = [
    [],
    "x",
    1,
    {},
    {"snapshot": [[], []], "spoken": [], "result": RESULT},  # of no files
    {"snapshot": [[], [[None, None]] * 2], "spoken": [], "result": {"findings": [{"x": 1}], "problems": []}},
    {"snapshot": [[], [[None, None]] * 2], "spoken": [7], "result": RESULT},
    {"snapshot": [[], [[[1, 2], None]] * 2], "spoken": [], "result": RESULT},
    {"snapshot": 3, "spoken": [], "result": RESULT},
    {"snapshot": [{"reply_to": [float("inf")]}, [[None, None]] * 2], "spoken": [], "result": RESULT},
    {"snapshot": [[[1, [0]]], [[None, None]] * 2], "spoken": [], "result": RESULT},
    {"snapshot": [3, [[None, 3]] * 2], "spoken": 3, "result": 3},
]


@pytest.mark.parametrize("value", SHAPES, ids=range(len(SHAPES)))
def test_an_entry_of_another_shape_is_none(checkout: Path, value: object) -> None:
    first = run_check(*OPTIONS, cwd=checkout)
    (entry,) = entries(checkout)
    Cache(str(entry.parent)).store(entry.stem, value)
    assert run_check(*OPTIONS, cwd=checkout).stdout == first.stdout


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in the file system")
def test_a_pipe_in_the_place_of_an_entry_is_not_waited_for(checkout: Path) -> None:
    first = run_check(*OPTIONS, cwd=checkout)
    (entry,) = entries(checkout)
    entry.unlink()
    os.mkfifo(entry)
    assert run_check(*OPTIONS, cwd=checkout).stdout == first.stdout


@pytest.mark.parametrize("settled", [contents._SETTLED, -(10**18)], ids=["just now", "long ago"])
def test_a_file_that_is_saved_during_a_check_is_checked_again(
    checkout: Path, settled: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*args: Any, **more: Any) -> Any:
        write(checkout, {"desk.py": FILES["desk.py"].replace("message.rid", "message.rid, message.reply_to")})
        return judge(*args, **more)

    monkeypatch.setattr(contents, "_SETTLED", settled)
    monkeypatch.chdir(checkout)
    cached = Settings(fields=("reply_to",), preset=None, cache=str(checkout / "cache"))
    with monkeypatch.context() as patch:
        patch.setattr(checking, "judge", slow)
        check(["."], cached)
    assert not check(["."], cached).findings
    assert not check(["."], cached).findings


@pytest.mark.parametrize("body", [b"", b"\x93\x01", b"\x92\x90\x80", b"\xc0", b"x" * 99], ids=range(5))
def test_facts_of_another_shape_are_none(checkout: Path, body: bytes) -> None:
    run_check(*OPTIONS, cwd=checkout)
    folder = checkout / ".ipc_lint_cache"
    names = sorted(path.name for path in folder.glob("*.facts"))
    assert len(names) == 2
    Cache(str(folder)).store_bytes(dict.fromkeys(names, body))
    write(
        checkout, {"wire.py": FILES["wire.py"] + "\n"}
    )  # the result is none, the facts of the other are asked
    assert lines(checkout) == [5]
    kept = folder / names[0], folder / names[1]
    assert sum(path.read_bytes().partition(b"\n")[2] != body for path in kept) == 1  # written anew


def test_another_folder_and_none(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other") / "cache"
    run_check(*OPTIONS, "--no-cache", cwd=checkout)
    run_check(*OPTIONS, "--cache-dir", str(other), cwd=checkout)
    assert not (checkout / ".ipc_lint_cache").exists()
    assert len(list(other.glob("*.json"))) == 1


def test_a_folder_that_is_nobodys_checkout_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    bare = write(tmp_path / "bare", FILES)
    first = run_check(*OPTIONS, cwd=bare)
    assert sorted(path.name for path in bare.iterdir()) == ["desk.py", "wire.py"]
    folder = tmp_path / "home" / "ipc-lint" / "results"
    assert len(list(folder.glob("*.json"))) == 1
    assert run_check(*OPTIONS, cwd=bare).stdout == first.stdout
    assert run("clean", cwd=bare).returncode == 0
    assert not folder.exists()


def test_clean_removes_it(checkout: Path) -> None:
    run_check(*OPTIONS, cwd=checkout)
    assert run("clean", cwd=checkout).returncode == 0
    assert not (checkout / ".ipc_lint_cache").exists()
    assert run("clean", cwd=checkout).stderr.strip() == "Nothing is remembered"


def test_many_runs_at_once_say_the_same(checkout: Path) -> None:
    command = [sys.executable, "-m", "ipc_lint", "check", *OPTIONS]
    runs = [subprocess.Popen(command, cwd=checkout, stdout=subprocess.PIPE) for _ in range(8)]
    assert len({done.communicate()[0] for done in runs}) == 1
