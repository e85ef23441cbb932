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

from ipc_lint.crew import Crew, shares
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


@pytest.fixture
def crew() -> Iterator[Crew]:
    crew = Crew(3)
    yield crew
    crew.close()


def doubled(number: int) -> tuple[int, int]:
    return 2 * number, os.getpid()


def order(part: None) -> int:
    return os.sched_getscheduler(0) if sys.platform == "linux" else os.nice(0)


def returned(data: bytes) -> bytes:
    return data


def divided(number: int) -> float:
    return 1 / number


def has_loaded(module: str) -> tuple[bool, int]:
    return module in sys.modules, os.getpid()


def fatal(parent: int) -> str:
    if os.getpid() != parent:
        os._exit(1)
    return "done here"


def test_results_come_in_order_from_as_many_processes_as_parts(crew: Crew) -> None:
    for parts in ([1], [1, 2], [3, 2, 1], []):
        results = crew.run(doubled, parts)
        assert [number for number, _ in results] == [2 * part for part in parts]
        assert len({process for _, process in results}) == len(parts)
        assert [process for _, process in results[:1]] == [os.getpid()][: len(parts)]


def test_helpers_stay_for_the_next_work(crew: Crew) -> None:
    first, second = (crew.run(doubled, [1, 2]) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("parts", [[0, 1], [1, 0], [1, 1, 0]])
def test_an_error_is_raised_here(crew: Crew, parts: list[int]) -> None:
    with pytest.raises(ZeroDivisionError):
        crew.run(divided, parts)


def test_an_error_leaves_no_answer_for_the_next_question(crew: Crew) -> None:
    with pytest.raises(ZeroDivisionError):
        crew.run(divided, [0, 4, 2])
    assert crew.run(divided, [1, 2, 4]) == [1, 0.5, 0.25]
    assert crew.away(divided, 8)() == 0.125


def test_what_was_begun_is_finished_in_any_order(crew: Crew) -> None:
    """Questions and answers, each larger than a pipe holds."""
    large = [bytes([number]) * 300_000 for number in range(3)]
    begun = [crew.start(returned, [b"", data]) for data in large]
    assert crew.run(returned, [b"", b"x"])[1] == b"x"
    for number in (1, 0, 2):
        assert begun[number]()[1] == large[number]


def test_the_part_of_a_helper_that_dies_is_done_here(crew: Crew) -> None:
    assert crew.run(fatal, [os.getpid()] * 3) == ["done here"] * 3
    assert crew.run(fatal, [os.getpid()] * 3) == ["done here"] * 3  # it is dead, and not asked in vain


def test_where_no_process_can_be_started_all_is_done_here(
    crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("multiprocessing.process.BaseProcess.start", refuse)
    assert crew.run(doubled, [1, 2, 3]) == [(2, os.getpid()), (4, os.getpid()), (6, os.getpid())]
    assert crew.fork(doubled, [1, 2]) == [(2, os.getpid()), (4, os.getpid())]
    assert crew.away(doubled, 1)() == (2, os.getpid())
    crew.call_up()
    crew.ahead(LIGHT)


def test_what_is_done_away_is_done_by_the_helper_that_has_prepared_for_it(crew: Crew) -> None:
    crew.ahead(LIGHT)
    assert crew.away(doubled, 1)() == (2, os.getpid())  # nothing is shared: there is none
    ((_, here), (_, helper)) = crew.run(doubled, [1, 2])
    crew.ahead(LIGHT)
    (_, aside) = crew.away(doubled, 1)()
    assert aside not in (here, helper)
    crew.ahead(LIGHT)
    assert crew.away(doubled, 1)() == (2, aside)
    assert [process for _, process in crew.run(doubled, [1, 2])] == [here, helper]


def test_helpers_load_what_they_will_need(crew: Crew) -> None:
    crew.load(LIGHT)  # there is none yet
    crew.call_up()
    for module in (NOT_HERE, LIGHT):
        crew.load(module)
        crew.ahead(module)
    _, (loaded, helper) = crew.run(has_loaded, [LIGHT, LIGHT])
    loaded_aside, aside = crew.away(has_loaded, LIGHT)()
    assert (loaded, loaded_aside) == (True, True)
    assert len({os.getpid(), helper, aside}) == 3
    assert not has_loaded(LIGHT)[0]
    assert crew.run(has_loaded, [NOT_HERE, NOT_HERE])[1] == (False, helper)


def test_who_works_alone_calls_nobody_up() -> None:
    alone = Crew()
    alone.call_up()
    alone.ahead(LIGHT)
    assert alone.away(doubled, 1)() == (2, os.getpid())


@pytest.mark.skipif(not hasattr(os, "nice"), reason="no such order here")
def test_who_prepares_stands_behind_all_others(crew: Crew) -> None:
    assert crew.run(order, [None, None]) == [order(None)] * 2
    crew.ahead(LIGHT)
    assert crew.away(order, None)() == (os.SCHED_IDLE if sys.platform == "linux" else 19)


def test_what_can_not_be_copied_is_done_here(crew: Crew) -> None:
    results = crew.fork(lambda number: (number, os.getpid()), [1, 2])
    assert [number for number, _ in results] == [1, 2]


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
from tests.test_crew import doubled
from ipc_lint.crew import Crew
crew = Crew(2)
print(crew.run(doubled, [1, 2])[1][1], flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="asks for a process by its number")
def test_no_helper_outlives_us() -> None:
    root = Path(__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", LIFE], cwd=root, capture_output=True, text=True, check=False)
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
