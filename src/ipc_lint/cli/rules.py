"""``ipc-lint rules`` and ``ipc-lint explain``."""

from __future__ import annotations

import click

from ipc_lint.cli.exits import CLEAN
from ipc_lint.cli.output import show


@click.command()
def rules() -> int:
    """List the rules."""
    from ipc_lint.rules import RULES

    width = max(len(rule.name) for rule in RULES)
    for rule in RULES:
        show(f"{rule.code}  {rule.name:<{width}}  {_documentation(rule).splitlines()[0]}\n")
    return CLEAN


@click.command()
@click.argument("code")
def explain(code: str) -> int:
    """Show the documentation of one rule, by code or name."""
    from ipc_lint.rules import RULES

    for rule in RULES:
        if code.upper() == rule.code or code == rule.name:
            show(f"{rule.code} {rule.name}\n\n{_documentation(rule)}\n")
            return CLEAN
    raise click.UsageError(f"no such rule: {code} (see `ipc-lint rules`)")


def _documentation(rule: type) -> str:
    import inspect

    return inspect.getdoc(rule) or ""
