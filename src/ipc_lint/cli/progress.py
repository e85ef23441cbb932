"""The bar on a terminal, for work that takes more than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

    from ipc_lint.track import Track

T = TypeVar("T")

PATIENCE = 1.0  # seconds before there is a bar
_CLEAR_LINE, _SHOW_CURSOR = "\r\x1b[K", "\x1b[?25h"


@contextmanager
def progress(*, quiet: bool) -> Iterator[Track]:
    """What watches a run: a bar on stderr if that is a terminal, else nothing at all."""
    from ipc_lint.track import untracked

    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield untracked
        return
    bars = _Bars()
    try:
        yield bars.track
    finally:
        bars.clear()


class _Bars:
    """One bar after the other, on the same line."""

    def __init__(self) -> None:
        self._begin = time.perf_counter()
        self._bar: ProgressBar[int] | None = None

    def track(self, what: str, items: Sequence[T]) -> Iterable[T]:
        """The items, and a bar if the run has lasted long enough."""
        try:
            for number, item in enumerate(items):
                self._show(what, number, len(items))
                yield item
        finally:
            self.clear()

    def _show(self, what: str, done: int, total: int) -> None:
        if self._bar is not None:
            self._bar.update(1)
        elif time.perf_counter() - self._begin > PATIENCE:
            self._bar = click.progressbar(length=total, label=what, file=sys.stderr)
            self._bar.update_min_steps = max(total // 100, 1)
            self._bar.update(done)

    def clear(self) -> None:
        """Leave the line as it was before, with the cursor that the bar hides."""
        if self._bar is not None:
            self._bar = None
            click.echo(_CLEAR_LINE + _SHOW_CURSOR, file=sys.stderr, nl=False)
