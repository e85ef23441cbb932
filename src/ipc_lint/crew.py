"""Work shared between processes: this one and its helpers.

Each helper is an own process that waits for work at a pipe; the first starts when there is something
to share. One that can't be started, or dies, takes nothing with it: its part is done here.
"""

from __future__ import annotations

import gc
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from ipc_lint.depth import make_room
from ipc_lint.turns import Turns, dealt, done

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

T = TypeVar("T")
R = TypeVar("R")

_ONLY = 0  # the question to a copy, which is asked no other


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
        self._copies: list[_Helper] = []  # they have answered, and go by themselves
        self._asked = 0  # so many times; an answer names the question
        self._turns: Turns | None = None  # by which helpers and this process share the work
        self._begun: _Shared[Any, Any] | None = None  # there is one pipe of turns: one thing after the other

    def share(
        self,
        task: Callable[[T], R],
        parts: Sequence[T],
        *,
        members: int | None = None,
        here: Callable[[T], R] | None = None,
        watched: Iterable[T] | None = None,
    ) -> Callable[[], list[R]]:
        """What ``task`` makes of each part; helpers begin at once, and each takes the next as it is free.

        What is handed back takes its turns, too, and waits. Task, parts and results can be pickled, and there
        are at most ``turns.MOST`` parts. At most so many ``members`` take part, all where none are given.
        ``here`` is the task for what this process does, whose results go to nobody else; ``watched`` are the
        parts as it goes through them.
        """
        number = min(self.size if members is None else members, len(parts))
        helpers = [helper for place in range(number - 1) if (helper := self._helper(place)) is not None]
        watched = parts if watched is None else watched
        if not helpers:
            return partial(_alone, here or task, watched)
        if self._begun is not None:
            self._begun.finish()
        self._asked += 1
        mine: Iterable[int]
        if self._turns is None:
            mine, *theirs = dealt(len(parts), 1 + len(helpers))
            for helper, places in zip(helpers, theirs, strict=True):
                _ask(helper, self._asked, partial(done, places, task), parts)
        else:
            self._turns.lay_out(len(parts))
            mine = self._turns.taken()
            for helper in helpers:
                _ask(helper, self._asked, task, parts, in_turns=True)
        self._begun = _Shared(mine, helpers, self._asked, here or task, parts, watched)
        return self._begun.results

    def away(self, task: Callable[[T], R], part: T, here: T | None = None) -> Callable[[], R]:
        """What ``task`` makes of something, begun at once by the helper that has prepared for it.

        What is handed back waits for it, or does it where there is no such helper. ``here`` is the same
        in a form that can't be handed on: somebody may watch how it is gone through.
        """
        if not self._helpers:
            return partial(task, part if here is None else here)
        self._asked += 1
        _ask(self._helpers[0], self._asked, task, part)
        return partial(_result, self._helpers[0], self._asked, task, part)

    def call_up(self) -> None:
        """Start a helper before there is something for it to do."""
        if self.size > 1:
            self._helper(0)

    def load(self, module: str) -> None:
        """Let each helper that is there load a module that it will need; nobody waits for it."""
        for helper in self._helpers:
            _send(helper, (None, import_module, module, False))

    def prepare(self, module: str) -> None:
        """The same for the one helper that is asked for what is done away."""
        for helper in self._helpers[:1]:
            _send(helper, (None, import_module, module, False))

    def fork(self, task: Callable[[T], R], parts: Sequence[T], members: int) -> list[R]:
        """The same by so many processes, the others copies of this one: only results are pickled.

        Where a process can't be copied, all is done here.
        """
        context = _context() if min(members, len(parts)) > 1 else None
        turns = None if context is None or context.get_start_method() != "fork" else _turns(context)
        if context is None or turns is None:
            return _alone(task, parts)
        turns.lay_out(len(parts))
        started = [_started(context, _answer, turns, task, parts) for _ in range(members - 1)]
        copies = [copy for copy in started if copy is not None]
        self._copies += copies
        try:
            return _Shared(turns.taken(), copies, _ONLY, task, parts, parts).results()
        finally:
            turns.close()

    def _helper(self, number: int) -> _Helper | None:
        """The helper of that number; None where no process can be started."""
        while len(self._helpers) <= number:
            helper = self._start()
            if helper is None:
                return None
            self._helpers.append(helper)
        return self._helpers[number]

    def _start(self) -> _Helper | None:
        context = _context()
        if not self._helpers:
            self._turns = _turns(context)
        return _started(context, _serve, self._turns, [other.pipe for other in self._all()])

    def _all(self) -> list[_Helper]:
        return [*self._helpers, *self._copies]

    def close(self) -> None:
        """Let the helpers go."""
        _dismiss(self._all())
        self._helpers, self._copies, self._begun = [], [], None
        if self._turns is not None:
            self._turns.close()
            self._turns = None


class _Shared(Generic[T, R]):
    """Parts of which this process does those at the places that are ``mine``, and helpers the others."""

    def __init__(
        self,
        mine: Iterable[int],
        helpers: Sequence[_Helper],
        asked: int,
        task: Callable[[T], R],
        parts: Sequence[T],
        watched: Iterable[T],
    ) -> None:
        self._mine, self._helpers, self._asked = mine, helpers, asked
        self._task, self._parts, self._watched = task, parts, watched
        self._found: dict[int, R] = {}
        self._error: Exception | None = None
        self._is_finished = False

    def results(self) -> list[R]:
        """What was made of each part. Raises what the task raises."""
        self.finish()
        if self._error is not None:
            raise self._error
        return [self._found[place] for place in range(len(self._parts))]

    def finish(self) -> None:
        """Do what is left to this process, and wait for the others."""
        if self._is_finished:
            return
        self._is_finished = True
        passing = enumerate(self._watched)
        for place in self._mine:
            self._do(place, next(part for at, part in passing if at == place))
        deque(passing, maxlen=0)  # who watches sees that all is taken
        for helper in self._helpers:
            found, error = _answer_of(helper, self._asked) or ((), None)
            self._found.update(found or ())
            self._error = self._error or error
        for place, part in enumerate(self._parts):
            if place not in self._found:  # who took it is gone
                self._do(place, part)

    def _do(self, place: int, part: T) -> None:
        if self._error is None:
            try:
                self._found[place] = self._task(part)
            except Exception as error:  # all turns have to be taken before anything else is shared
                self._error = error


def _alone(task: Callable[[T], R], parts: Iterable[T]) -> list[R]:
    return [task(part) for part in parts]


def _turns(context: BaseContext) -> Turns | None:
    """Turns for processes of a kind; None where they can't share a pipe."""
    if sys.platform == "win32":
        return None
    with suppress(OSError):  # too many are open
        return Turns(context)
    return None


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


def _ask(
    helper: _Helper, asked: int, task: Callable[[Any], Any], part: object, *, in_turns: bool = False
) -> None:
    with suppress(EOFError, OSError):
        while helper.open:  # if each had more to send than the pipe holds, both would wait for ever
            _take(helper)
    _send(helper, (asked, task, part, in_turns))
    helper.open.add(asked)


def _take(helper: _Helper) -> None:
    """Receive an answer. Raises EOFError, OSError where the helper is gone."""
    answered, result, error = helper.pipe.recv()
    helper.open.discard(answered)
    helper.answers[answered] = result, error


def _send(helper: _Helper, message: object) -> None:
    with suppress(OSError):  # it is gone: the answer will not come either
        helper.pipe.send(message)


def _answer_of(helper: _Helper, asked: int) -> tuple[Any, Exception | None] | None:
    """What a task gave or raised; None where the helper is gone."""
    try:
        while asked not in helper.answers:
            _take(helper)
    except (EOFError, OSError):
        return None
    return helper.answers.pop(asked)


def _result(helper: _Helper, asked: int, task: Callable[[T], R], part: T) -> R:
    answer = _answer_of(helper, asked)
    if answer is None:
        return task(part)
    result, error = answer
    if error is not None:
        raise error
    return result  # type: ignore[no-any-return]


def _dismiss(helpers: Sequence[_Helper]) -> None:
    for helper in helpers:
        helper.pipe.close()
        helper.process.terminate()
    for helper in helpers:
        helper.process.join()


def _serve(pipe: Connection, mine: list[Connection], turns: Turns | None, others: list[Connection]) -> None:
    """The life of a helper: it ends when nobody is at the other end of the pipe."""
    _settle_in([*mine, *others])
    while True:
        try:
            asked, task, part, in_turns = pipe.recv()
        except (EOFError, OSError):
            return
        if asked is None:
            with suppress(ImportError):  # it is said where the module is needed
                task(part)
        elif in_turns and turns is not None:
            _answer_with(pipe, asked, partial(done, turns.taken(), task), part)
        else:
            _answer_with(pipe, asked, task, part)


def _answer(
    pipe: Connection, mine: list[Connection], turns: Turns, task: Callable[[T], R], parts: Sequence[T]
) -> None:
    """The life of a copy: its turns of one task."""
    _settle_in(mine)
    _answer_with(pipe, _ONLY, partial(done, turns.taken(), task), parts)


def _settle_in(others: Iterable[Connection]) -> None:
    for other in others:
        other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who is interrupted is the one that we work for
    gc.disable()
    make_room()


def _answer_with(pipe: Connection, asked: int, task: Callable[[T], R], part: T) -> None:
    try:
        answer: tuple[int, R | None, Exception | None] = (asked, task(part), None)
    except Exception as error:  # it is raised where the result is waited for
        answer = (asked, None, error)
    with suppress(OSError):
        pipe.send(answer)
