"""Small projects and the fixes of the real pipeline, in memory."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from ipc_lint.engine import check
from ipc_lint.fix import Fixed, apply
from ipc_lint.model import Report
from tests.project import settings

MODEL = """\
class Order:
    def __init__(self, rid, text="", reply_to=None):
        self.rid = rid
        self.text = text
        self.reply_to = reply_to


class Job:
    def __init__(self, rid, text="", size=0, reply_to=None):
        self.rid = rid
        self.text = text
        self.reply_to = reply_to
"""


def fixes(paths: tuple[str, ...] = (".",), *, unsafe: bool = False) -> Fixed:
    """Fix below the working directory, in memory."""

    def run(contents: Mapping[str, bytes]) -> Report:
        return check(paths, settings(), contents=contents)

    fixed = apply(run, unsafe=unsafe)
    assert fixed.report.problems == ()
    return fixed


def new_contents(fixed: Fixed) -> dict[str, bytes]:
    """What fixing changes: the new bytes by relative path."""
    return {os.path.relpath(path): new for path, (_, new) in fixed.contents.items()}


def before_of(marked: str) -> str:
    """A text without what stands between the marks."""
    return re.sub("«.*?»", "", marked, flags=re.DOTALL)


def after_of(marked: str) -> str:
    """A text with what stands between the marks, without the marks."""
    return marked.replace("«", "").replace("»", "")
