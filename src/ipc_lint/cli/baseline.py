"""``ipc-lint baseline``."""

from __future__ import annotations

import os
from typing import Any

import click

from ipc_lint.cli.exits import CLEAN, INCOMPLETE
from ipc_lint.cli.options import (
    choosing,
    configs_of,
    crew_of,
    filled_option,
    looking,
    said_in_lines,
    some_paths,
)
from ipc_lint.cli.output import say, say_problems
from ipc_lint.cli.summary import count, nothing


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(), callback=some_paths)
@filled_option("--output", "Where to, in place of the usual file.")
@choosing
@looking
def baseline(paths: tuple[str, ...], **options: Any) -> int:
    """Write the findings of today to a file, so that only new ones count (default: the current folder).

    Exit code 0, or 2: something could not be checked or written.
    """
    from ipc_lint.baseline import DEFAULT_NAME, dump
    from ipc_lint.engine import check
    from ipc_lint.files.paths import folder_of
    from ipc_lint.fix import put

    asked = paths or (".",)
    with said_in_lines(), crew_of(options) as crew:
        configs = configs_of(options, asked)
        named = configs(folder_of(os.path.abspath(asked[0]))).baseline
        report = check(asked, configs.without_baseline(), crew=crew)
    target = options["output"] or (DEFAULT_NAME if named is None else os.path.relpath(named))
    say_problems(report)
    if report.problems:
        say("ipc-lint: no baseline is written: it would take what was not checked for clean")
        return INCOMPLETE
    problem = put(target, dump(report.findings, target).encode())
    if problem is not None:
        say(f"ipc-lint: {target}: {problem.message}")
        return INCOMPLETE
    say(f"Wrote {count(len(report.findings), 'finding')} to {target}")
    if not report.files_checked or report.unknown_fields:
        say(nothing(report))
    return CLEAN
