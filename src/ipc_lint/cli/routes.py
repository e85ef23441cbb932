"""``ipc-lint routes``."""

from __future__ import annotations

import sys
from typing import Any

import click

from ipc_lint.cli.exits import CLEAN, INCOMPLETE
from ipc_lint.cli.options import colouring, configs_of, crew_of, looking, said_in_lines, some_paths
from ipc_lint.cli.output import coloured, say, say_problems, show
from ipc_lint.cli.summary import nothing

# As in report.ROUTES, which takes longer to load.
FORMATS = ("text", "json")


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(), callback=some_paths)
@click.option("--output-format", type=click.Choice(FORMATS), default="text", show_default=True)
@looking
@colouring
def routes(paths: tuple[str, ...], **options: Any) -> int:
    """Show every site of the field and what becomes of it (default: the current folder).

    Exit code 0, or 2: something could not be read.
    """
    from ipc_lint.engine import routes as run
    from ipc_lint.report import ROUTES

    asked = paths or (".",)
    with said_in_lines(), crew_of(options) as crew:
        report = run(asked, configs_of(options, asked), crew=crew)
    show(ROUTES[options["output_format"]](report, coloured(options["color"], sys.stdout)))
    say_problems(report)
    if not report.sites and not report.problems:
        say(nothing(report))
    return INCOMPLETE if report.problems else CLEAN
