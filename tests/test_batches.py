"""Files may be checked in any batches: together they give what one run gives."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ipc_lint.engine import check
from ipc_lint.model import Finding
from tests.project import settings as options
from tests.server import ALONE, PRESS
from tests.trees import write

TREE = {
    **PRESS,
    "press/quiet.py": ALONE.replace("# IPC001", "# ipc-lint: ignore[IPC001]"),
    "press/odd.py": "x = 1  # noqa: IPC101, IPC999\n",
    "tools/run.py": "from press.desk import Desk\nfrom press.model import Job, Order\n\n\n"
    "def again(order: Order, desk: Desk):\n    desk.jobs.append(Job(order.rid, ''))  # noqa: IPC001\n"
    "    desk.jobs.append(Job(order.rid, 'x'))\n",
    "inner/ipc-lint.toml": 'fields = ["reply_to"]\n',
    "inner/desk.py": ALONE,
}
FILES = sorted(name for name in TREE if name.endswith(".py"))


@contextmanager
def inside(folder: str) -> Iterator[None]:
    """Work in a folder."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def found(*paths: str) -> list[Finding]:
    report = check(paths, options())
    assert report.problems == ()
    return list(report.findings)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.integers(0, 3), min_size=len(FILES), max_size=len(FILES)))
def test_batches_together_give_what_one_run_gives(places: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder, inside(folder):
        write(Path(folder), {**TREE, ".git/HEAD": ""})
        whole = found(".")
        assert len(whole) == 8
        batches = [[f for f, at in zip(FILES, places, strict=True) if at == n] for n in range(4)]
        union = [finding for batch in batches if batch for finding in found(*batch)]
        assert sorted(union, key=repr) == sorted(whole, key=repr)
