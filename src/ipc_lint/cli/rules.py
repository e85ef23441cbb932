"""``ipc-lint rules`` and ``ipc-lint explain``."""

from __future__ import annotations

import click

from ipc_lint.cli.exits import CLEAN
from ipc_lint.cli.options import no_such_rule
from ipc_lint.cli.output import show

# As in report.RULES, which takes longer to load.
FORMATS = ("text", "json")


@click.command()
@click.option("--output-format", type=click.Choice(FORMATS), default="text", show_default=True)
def rules(output_format: str) -> int:
    """List the rules."""
    from ipc_lint.report import RULES
    from ipc_lint.rules._documentation import documentation

    show(RULES[output_format](documentation()))
    return CLEAN


@click.command()
@click.argument("rule")
def explain(rule: str) -> int:
    """Show the documentation of one rule, by code or name."""
    from ipc_lint.report.rule_page import render
    from ipc_lint.rules._documentation import documentation

    for doc in documentation():
        if rule.upper() == doc.code or rule == doc.name:
            show(render(doc))
            return CLEAN
    raise click.UsageError(no_such_rule([rule]))
