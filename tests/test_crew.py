"""Work in several processes: the same results, whatever happens to a helper."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ipc_lint.crew import Crew
from ipc_lint.turns import MOST, Turns, dealt, shares
from tests import corpus
from tests.server import WIRE
from tests.trees import write

LIGHT, NOT_HERE = "tabnanny", "ipc_lint.nowhere"
METHODS = [name for name in ("fork", "spawn") if name in multiprocessing.get_all_start_methods()]
# A process with threads (a worker of the test runner is one) is not to be copied.
PROGRAM = """
import multiprocessing, sys
from ipc_lint import crew
from ipc_lint.cli import main

started = crew._started
def counted(*args):
    sys.stderr.write("started\\n")
    return started(*args)
crew._started = counted
multiprocessing.set_start_method(sys.argv.pop(1))
main()
"""


def doubled(number: int) -> tuple[int, int]:
    return 2 * number, os.getpid()


def returned(data: bytes) -> bytes:
    return data


def divided(number: int) -> float:
    return 1 / number


def waited(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def has_loaded(module: str) -> tuple[bool, int]:
    return module in sys.modules, os.getpid()


def fatal(parent: int) -> str:
    if os.getpid() != parent:
        os._exit(1)
    return "done here"


def noted(folder: Path) -> int:
    """Says in a folder that it runs, and does so until a second process does."""
    (folder / str(os.getpid())).touch()
    while len(list(folder.iterdir())) < 2:
        time.sleep(0.001)
    return os.getpid()


@pytest.fixture(params=["in turns", "dealt out"])
def crew(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Crew]:
    """Three processes; as where they can share a pipe, and as where they can not."""
    if request.param == "dealt out":
        monkeypatch.setattr("ipc_lint.crew._turns", lambda context: None)
    crew = Crew(3)
    yield crew
    crew.close()


@given(number=st.integers(0, MOST), takers=st.integers(1, 5))
def test_each_turn_is_taken_once_by_whoever_asks(number: int, takers: int) -> None:
    turns = Turns(multiprocessing.get_context())
    for _ in range(2):
        turns.lay_out(number)
        taking = [turns.taken() for _ in range(takers)]
        taken = [next(taking[place % takers], None) for place in range(number + takers)]
        assert taken == [*range(number), *[None] * takers]
    turns.close()


@given(number=st.integers(0, 20), members=st.integers(1, 5))
def test_what_is_dealt_out_is_dealt_out_once(number: int, members: int) -> None:
    found = dealt(number, members)
    assert len(found) == members
    assert sorted(place for places in found for place in places) == list(range(number))


def test_results_come_in_order(crew: Crew) -> None:
    for parts in ([1], [1, 2], [3, 2, 1], [], range(MOST)):
        results = crew.share(doubled, parts)()
        assert [number for number, _ in results] == [2 * part for part in parts]
        assert len({process for _, process in results}) <= 3


def test_more_than_one_process_does_the_work(crew: Crew, tmp_path: Path) -> None:
    assert len(set(crew.share(noted, [tmp_path] * 2)())) == 2


def test_who_is_free_takes_the_next(tmp_path: Path) -> None:
    crew = Crew(2)
    crew.share(waited, [0, 0])()  # it has started
    processes = crew.share(waited, [0.5, *[0.001] * 100])()
    crew.close()
    assert len(set(processes)) == 2
    assert processes.count(processes[0]) < 10  # else half of them would wait for the first


def test_there_are_no_more_members_than_asked_for(crew: Crew, tmp_path: Path) -> None:
    assert set(crew.share(waited, [0.001] * 20, members=1)()) == {os.getpid()}
    assert len(set(crew.share(waited, [0.001] * 20, members=2)())) <= 2


def test_helpers_stay_for_the_next_work(crew: Crew) -> None:
    processes = {process for _ in range(20) for process in crew.share(waited, [0.001] * 9)()}
    assert len(processes) <= 3


def test_what_is_done_here_may_be_done_in_another_way(crew: Crew) -> None:
    results = crew.share(waited, [0.001] * 20, here=lambda seconds: "here")()
    assert os.getpid() not in results
    assert crew.share(waited, [0.001] * 2, here=lambda seconds: "here", members=1)() == ["here"] * 2


@pytest.mark.parametrize("members", [1, 2, 3])
def test_who_watches_sees_all_parts_in_order(crew: Crew, members: int) -> None:
    seen: list[int] = []
    watched = (seen.append(number) or number for number in range(20))  # type: ignore[func-returns-value]
    assert len(crew.share(doubled, range(20), members=members, watched=watched)()) == 20
    assert seen == list(range(20))


@pytest.mark.parametrize("parts", [[0, 1], [1, 0], [1, 1, 0]])
def test_an_error_is_raised_here(crew: Crew, parts: list[int]) -> None:
    with pytest.raises(ZeroDivisionError):
        crew.share(divided, parts)()


def test_an_error_leaves_no_answer_and_no_turn_for_the_next_question(crew: Crew) -> None:
    with pytest.raises(ZeroDivisionError):
        crew.share(divided, [0, 4, 2])()
    assert crew.share(divided, [1, 2, 4])() == [1, 0.5, 0.25]
    with pytest.raises(ZeroDivisionError):
        crew.away(divided, 0)()
    assert crew.away(divided, 8)() == 0.125


def test_what_was_begun_is_finished_in_any_order(crew: Crew) -> None:
    """Questions and answers, each larger than a pipe holds."""
    large = [bytes([number]) * 300_000 for number in range(3)]
    begun = [crew.share(returned, [b"", data]) for data in large]
    assert crew.share(returned, [b"", b"x"])() == [b"", b"x"]
    away = crew.away(returned, large[2])
    for number in (1, 0, 2, 1):
        assert begun[number]() == [b"", large[number]]
    assert away() == large[2]


def test_an_error_in_what_was_begun_is_raised_where_it_is_asked_for(crew: Crew) -> None:
    begun = crew.share(divided, [1, 0])
    assert crew.share(divided, [1, 2])() == [1, 0.5]
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            begun()


def test_the_parts_of_a_helper_that_dies_are_done_here(crew: Crew) -> None:
    for _ in range(2):  # it is dead, and not asked in vain
        assert crew.share(fatal, [os.getpid()] * 30)() == ["done here"] * 30
    assert crew.away(fatal, os.getpid())() == "done here"
    assert crew.fork(fatal, [os.getpid()] * 30, 2) == ["done here"] * 30


def test_where_no_process_can_be_started_all_is_done_here(
    crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("multiprocessing.process.BaseProcess.start", refuse)
    assert crew.share(doubled, [1, 2])() == [(2, os.getpid()), (4, os.getpid())]
    assert crew.fork(doubled, [1, 2], 2) == [(2, os.getpid()), (4, os.getpid())]
    assert crew.away(doubled, 1)() == (2, os.getpid())
    crew.call_up()
    crew.prepare(LIGHT)


def test_what_is_done_away_is_done_by_the_helper_that_has_prepared_for_it(crew: Crew) -> None:
    crew.prepare(LIGHT)
    assert crew.away(has_loaded, LIGHT)() == (False, os.getpid())  # nothing is shared: there is none
    crew.share(doubled, [1, 2, 3])()
    for module in (NOT_HERE, LIGHT):
        crew.prepare(module)
    is_loaded, helper = crew.away(has_loaded, LIGHT)()
    assert is_loaded
    assert helper != os.getpid()
    assert crew.away(has_loaded, NOT_HERE)() == (False, helper)
    assert not has_loaded(LIGHT)[0]


def test_helpers_load_what_they_will_need(crew: Crew) -> None:
    crew.load(LIGHT)  # there is none yet
    crew.call_up()
    for module in (NOT_HERE, LIGHT):
        crew.load(module)
    assert crew.away(has_loaded, LIGHT)()[0]
    assert not has_loaded(LIGHT)[0]


def test_who_works_alone_calls_nobody_up() -> None:
    alone = Crew()
    alone.call_up()
    alone.prepare(LIGHT)
    assert alone.away(doubled, 1)() == (2, os.getpid())


def test_what_can_not_be_copied_is_done_here(crew: Crew) -> None:
    results = crew.fork(lambda number: (number, os.getpid()), [1, 2, 3], 2)
    assert [number for number, _ in results] == [1, 2, 3]


@given(st.lists(st.integers(0, 1000)), st.integers(1, 5))
def test_shares_are_all_of_it_in_about_equal_parts(weights: list[int], number: int) -> None:
    found = shares(weights, number, lambda weight: weight)
    assert sorted(weight for share in found for weight in share) == sorted(weights)
    assert len(found) <= number
    assert all(found)
    sums = [sum(share) for share in found] or [0]
    assert max(sums) - min(sums) <= max([*weights, 0]) or len(found) < number


LIFE = """
import os, signal, sys
from pathlib import Path
from tests.test_crew import noted
from ipc_lint.crew import Crew
crew = Crew(2)
here, helper = crew.share(noted, [Path(sys.argv[1])] * 2)()
print(helper if here == os.getpid() else here, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="asks for a process by its number")
def test_no_helper_outlives_us(tmp_path: Path) -> None:
    root = Path(__file__).parent.parent
    command = [sys.executable, "-c", LIFE, str(tmp_path)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    helper = int(done.stdout)
    for _ in range(100):
        try:
            os.kill(helper, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("it is still there")


# ------------------------------------------------------------------ over the command line


def check(tree: Path, *options: str, method: str = METHODS[0]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM, method, "check", "--output-format", "json", *options, "."]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("release", ["0.5.10", "0.5.23"])
def test_every_number_of_processes_gives_the_same_bytes(release: str, tmp_path: Path) -> None:
    tree = corpus.tree(release)
    alone = check(tree, "--no-cache", "-j1")
    assert json.loads(alone.stdout)["findings"]
    assert "started" not in alone.stderr
    for method in METHODS:
        for jobs in ("-j2", "-j3"):
            folder = str(tmp_path / f"{method}{jobs}")
            for is_cold in (True, False):
                done = check(tree, "--cache-dir", folder, jobs, method=method)
                assert (done.returncode, done.stdout) == (alone.returncode, alone.stdout)
                assert ("started" in done.stderr) == is_cold


CHAIN = "    if x == 0:\n        pass\n" + "".join(
    f"    elif x == {number}:\n        pass\n" for number in range(1, 500)
)


def test_what_is_too_deep_is_said_once_and_the_same_by_every_number(tmp_path: Path) -> None:
    filling = "# " + "x" * 100 + "\n"
    deep = f"from wire import Job, Message\n\n\ndef early(x):\n    y = x.rid\n{CHAIN}    return y\n\n\n"
    deep += f"def late(x: Message, q):\n{CHAIN}    q.append(Job(x.rid))\n\n\n" + filling * 3000
    (tmp_path / ".git").mkdir()
    write(tmp_path, {"wire.py": WIRE, **{f"{name}.py": deep for name in "abc"}})
    options = ("--no-preset", "--field", "reply_to", "--no-cache")
    alone, *others = (check(tmp_path, *options, f"-j{jobs}") for jobs in (1, 2, 3))
    problems = json.loads(alone.stdout)["errors"]
    assert [problem["path"] for problem in problems] == ["a.py", "b.py", "c.py"]
    assert [(done.returncode, done.stdout) for done in others] == [(2, alone.stdout)] * 2


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal to a group")
def test_an_interrupt_is_not_said_by_each_process() -> None:
    command = [sys.executable, "-m", "ipc_lint", "check", "--no-cache", "-j3", "."]
    pipe = subprocess.PIPE
    tree = corpus.tree("0.5.23")
    with subprocess.Popen(command, cwd=tree, stderr=pipe, stdout=pipe, start_new_session=True) as process:
        time.sleep(0.6)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate()
    assert process.returncode == 130
    assert b"Traceback" not in said
