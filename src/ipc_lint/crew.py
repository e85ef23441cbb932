"""Work shared between processes: this one and its helpers.

Each helper is an own process that waits for work at a pipe; the first starts when there is something
to share. One that can't be started, or dies, takes nothing with it: its part is done here.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ipc_lint.depth import make_room

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

T = TypeVar("T")
R = TypeVar("R")

_ONLY = 0  # the question to a copy, which is asked no other
_LAST = 19  # so nice is who lets all others go first


class _Helper(NamedTuple):
    process: BaseProcess
    pipe: Connection
    open: set[int]  # the questions that it has not answered
    answers: dict[int, tuple[Any, Exception | None]]  # what nobody has waited for yet


class Crew:
    """So many processes, this one among them."""

    def __init__(self, size: int = 1) -> None:
        self.size = size
        self._helpers: list[_Helper] = []
        self._aside: _Helper | None = None  # besides: it has what nobody else needs of the processors
        self._copies: list[_Helper] = []  # they have answered, and go by themselves
        self._asked = 0  # so many times; an answer names the question

    def run(self, task: Callable[[T], R], parts: Sequence[T]) -> list[R]:
        """What ``task`` makes of each part: of the first here, of the others in helpers.

        There are at most as many parts as the crew has members; task, parts and results can be pickled.
        """
        return self.start(task, parts)()

    def start(self, task: Callable[[T], R], parts: Sequence[T]) -> Callable[[], list[R]]:
        """The same, begun by the helpers at once; what is handed back does the first part and waits."""
        helpers = [self._helper(number) for number in range(len(parts) - 1)]
        self._asked += 1
        for helper, part in zip(helpers, parts[1:], strict=True):
            _ask(helper, self._asked, task, part)
        return partial(_finished, helpers, self._asked, task, parts)

    def away(self, task: Callable[[T], R], part: T, here: T | None = None) -> Callable[[], R]:
        """What ``task`` makes of something, begun at once by the helper that has prepared for it.

        What is handed back waits for it, or does it where there is no such helper. ``here`` is the same
        in a form that can't be handed on: somebody may watch how it is gone through.
        """
        if self._aside is None:
            return partial(task, part if here is None else here)
        self._asked += 1
        _ask(self._aside, self._asked, task, part)
        return partial(_result, self._aside, self._asked, task, part)

    def call_up(self) -> None:
        """Start a helper, and the one that works ahead, before there is something for them to do."""
        if self.size > 1 and self._helper(0) is not None and self._aside is None:
            self._aside = self._start()
            _send(self._aside, (None, _stand_behind, None))

    def load(self, module: str) -> None:
        """Let each helper that is there load a module that it will need; nobody waits for it."""
        for helper in self._helpers:
            _send(helper, (None, import_module, module))

    def ahead(self, module: str) -> None:
        """Where the work is shared, let one more helper load what may be needed; nobody waits for it.

        It runs when a processor has nothing else to do.
        """
        if self._helpers:
            self.call_up()
            _send(self._aside, (None, import_module, module))

    def fork(self, task: Callable[[T], R], parts: Sequence[T]) -> list[R]:
        """The same by copies of this process, which know all that it knows; only results are pickled.

        Where a process can't be copied, all is done here.
        """
        context = _context() if len(parts) > 1 else None
        if context is None or context.get_start_method() != "fork":
            return [task(part) for part in parts]
        helpers = [_started(context, _answer, task, part) for part in parts[1:]]
        self._copies += [helper for helper in helpers if helper is not None]
        return _finished(helpers, _ONLY, task, parts)

    def _helper(self, number: int) -> _Helper | None:
        """The helper of that number; None where no process can be started."""
        while len(self._helpers) <= number:
            helper = self._start()
            if helper is None:
                return None
            self._helpers.append(helper)
        return self._helpers[number]

    def _start(self) -> _Helper | None:
        return _started(_context(), _serve, [helper.pipe for helper in self._all()])

    def _all(self) -> list[_Helper]:
        return [*self._helpers, *self._copies, *([] if self._aside is None else [self._aside])]

    def close(self) -> None:
        """Let the helpers go."""
        _dismiss(self._all())
        self._helpers, self._copies, self._aside = [], [], None


def shares(items: Iterable[T], number: int, weight: Callable[[T], int]) -> list[list[T]]:
    """At most so many lists of about the same weight; none is empty."""
    found: list[tuple[int, list[T]]] = [(0, []) for _ in range(number)]
    for item in sorted(items, key=weight, reverse=True):
        lightest = min(range(number), key=lambda place: found[place][0])
        total, share = found[lightest]
        share.append(item)
        found[lightest] = (total + weight(item), share)
    return [share for _, share in found if share]


def _context() -> BaseContext:
    import multiprocessing

    if multiprocessing.get_start_method(allow_none=True) is not None:
        return multiprocessing.get_context()  # somebody has chosen
    # A copy of a process with threads may hang; elsewhere system libraries start some by themselves.
    copies = sys.platform == "linux" and threading.active_count() == 1
    return multiprocessing.get_context("fork" if copies else "spawn")


def _started(context: BaseContext, target: Callable[..., None], *args: Any) -> _Helper | None:
    forks = context.get_start_method() == "fork"
    try:
        mine, theirs = context.Pipe()
        # A copy has the ends of the pipes that are meant for us, too: held open, no helper sees us go.
        process = context.Process(  # type: ignore[attr-defined]
            target=target, args=(theirs, [mine] if forks else [], *args), daemon=True
        )
        process.start()
    except (OSError, AssertionError):  # too many of something; a daemon may have no children
        return None
    theirs.close()
    return _Helper(process, mine, set(), {})


def _ask(helper: _Helper | None, asked: int, task: Callable[[T], R], part: T) -> None:
    if helper is None:
        return
    with suppress(EOFError, OSError):
        while helper.open:  # if each had more to send than the pipe holds, both would wait for ever
            _take(helper)
    _send(helper, (asked, task, part))
    helper.open.add(asked)


def _take(helper: _Helper) -> None:
    """Receive an answer. Raises EOFError, OSError where the helper is gone."""
    answered, result, error = helper.pipe.recv()
    helper.open.discard(answered)
    helper.answers[answered] = result, error


def _send(helper: _Helper | None, message: object) -> None:
    if helper is not None:
        with suppress(OSError):  # it is gone: the answer will not come either
            helper.pipe.send(message)


def _finished(
    helpers: Sequence[_Helper | None], asked: int, task: Callable[[T], R], parts: Sequence[T]
) -> list[R]:
    """What is made of the first part here, and of each other by a helper."""
    first = [task(part) for part in parts[:1]]
    return first + [_result(h, asked, task, part) for h, part in zip(helpers, parts[1:], strict=True)]


def _result(helper: _Helper | None, asked: int, task: Callable[[T], R], part: T) -> R:
    if helper is None:
        return task(part)
    try:
        while asked not in helper.answers:
            _take(helper)
    except (EOFError, OSError):
        return task(part)
    result, error = helper.answers.pop(asked)
    if error is not None:
        raise error
    return result  # type: ignore[no-any-return]


def _dismiss(helpers: Sequence[_Helper]) -> None:
    for helper in helpers:
        helper.pipe.close()
        helper.process.terminate()
    for helper in helpers:
        helper.process.join()


def _serve(pipe: Connection, *others: list[Connection]) -> None:
    """The life of a helper: it ends when nobody is at the other end of the pipe."""
    _settle_in(others)
    while True:
        try:
            asked, task, part = pipe.recv()
        except (EOFError, OSError):
            return
        if asked is None:
            with suppress(ImportError):  # it is said where the module is needed
                task(part)
        else:
            _answer_with(pipe, asked, task, part)


def _answer(pipe: Connection, mine: list[Connection], task: Callable[[T], R], part: T) -> None:
    """The life of a copy: one task."""
    _settle_in([mine])
    _answer_with(pipe, _ONLY, task, part)


def _settle_in(others: Iterable[list[Connection]]) -> None:
    for group in others:
        for other in group:
            other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who is interrupted is the one that we work for
    gc.disable()
    make_room()


def _stand_behind(part: None) -> None:
    """Let every other process go first, where the system knows of such an order."""
    with suppress(OSError):
        if sys.platform == "linux":
            # Who is only nice is still in the way: two others may be put on one processor beside it.
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        elif hasattr(os, "nice"):
            os.nice(_LAST)


def _answer_with(pipe: Connection, asked: int, task: Callable[[T], R], part: T) -> None:
    try:
        answer: tuple[int, R | None, Exception | None] = (asked, task(part), None)
    except Exception as error:  # it is raised where the result is waited for
        answer = (asked, None, error)
    with suppress(OSError):
        pipe.send(answer)
