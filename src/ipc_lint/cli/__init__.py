"""The command line: options to Settings, the report to stdout, the rest to stderr, the exit code.

One file a command; what they load takes longer than click itself, so they load it when they run.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import NoReturn

import click

from ipc_lint import __version__
from ipc_lint.cli import baseline, check, clean, config, routes, rules
from ipc_lint.cli.exits import INCOMPLETE, INTERRUPTED
from ipc_lint.cli.output import complain


class _Commands(click.Group):
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command; for a path in its place, the one that was meant."""
        if self.get_command(ctx, args[0]) is None and os.path.exists(args[0]):
            meant = f"did you mean `ipc-lint check {args[0]}`?"
            raise click.UsageError(f"No such command '{args[0]}' ({meant})", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ipc-lint", message="%(prog)s %(version)s")
def cli() -> None:
    """Find the places where a message loses its return address."""


for _command in (
    check.check,
    routes.routes,
    baseline.baseline,
    config.config,
    rules.rules,
    rules.explain,
    clean.clean,
):
    cli.add_command(_command)


def main() -> None:
    """Run the command line and exit: 130 when interrupted, 2 for bad usage or a bug of ours."""
    # Turned on again at the end, it would look through all that was found once more.
    gc.disable()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a file name or a source line may be beyond the locale
            stream.reconfigure(errors="backslashreplace")
    try:
        code = cli.main(prog_name="ipc-lint", standalone_mode=False)
    except click.ClickException as error:
        complain(error)
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except Exception:  # not to be taken for exit code 1, "findings"
        import traceback

        traceback.print_exc()
        code = INCOMPLETE
    _leave(code or 0)


def _leave(code: int) -> NoReturn:
    """Exit at once: to let go of all that was found, piece by piece, takes as long as to find some of it."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        sys.exit(code)  # Python has its own way to say so
    os._exit(code)
