"""What was answered to the questions of one inference."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ipc_lint.facts import Expr
from ipc_lint.index.types import UNKNOWN, Type, union

# The depth of no open question: an answer that depends on none is whole.
_WHOLE = 1 << 30
# So many questions lead from one to the next only in generated code, and each takes room on the stack.
_DEEPEST = 150


class Answers:
    """Remembers answers; a question that leads back to itself gives "unknown"."""

    def __init__(self) -> None:
        self._memo: dict[Hashable, Type] = {}
        self._open: dict[Hashable, int] = {}
        self._provisional: dict[Hashable, tuple[Type, int]] = {}
        self._low = _WHOLE
        self._asked: list[Expr] = []  # what is remembered by its id has to stay

    def ask(self, key: Hashable, answer: Iterator[Type]) -> Type:
        """The remembered answer; a generator is only started when it is needed.

        An answer that was cut short by a question still open is provisional: it serves until that
        question is answered, then it is forgotten.
        """
        if key in self._memo:
            return self._memo[key]
        if key in self._provisional:
            found, low = self._provisional[key]
            self._low = min(self._low, low)
            return found
        if key in self._open:
            self._low = min(self._low, self._open[key])
            return UNKNOWN
        if len(self._open) >= _DEEPEST:
            self._low = 0  # as long as the outermost question is open
            return UNKNOWN
        depth = self._open[key] = len(self._open)
        outer, self._low = self._low, _WHOLE
        try:
            found = union(answer)
        finally:
            del self._open[key]
        low = self._low
        if low >= depth:
            self._memo[key] = found
            self._low = outer
            if low != _WHOLE:
                self._provisional = {k: v for k, v in self._provisional.items() if v[1] < depth}
        else:
            self._provisional[key] = (found, low)
            self._low = min(outer, low)
        return found

    def once(self, expr: Expr, key: Hashable, answer: Iterator[Type]) -> Type:
        """The remembered answer to a question that has the id of an expression in its key."""
        known = self._memo.get(key)
        if known is None:
            self._asked.append(expr)
            known = self.ask(key, answer)
        return known

    def forget(self) -> None:
        """Drop what was remembered."""
        self._memo.clear()
