"""The options that commands share, and the Settings that they come to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ipc_lint.settings import Settings

_Command = TypeVar("_Command", bound=Callable[..., Any])


def _split(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """The values of an option that may be repeated and may hold commas."""
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


def _fields(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    names = _split(ctx, param, values)
    odd = [name for name in names if not name.isidentifier()]
    if odd:
        raise click.BadParameter(f"not the name of an attribute: {', '.join(odd)}")
    return names


def known_rules(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Codes, prefixes of codes and names; an unknown one is a usage error."""
    wanted = _split(ctx, param, values)
    if not wanted:
        return ()
    from ipc_lint.rules import RULES

    unknown = [word for word in wanted if not any(word == r.name or r.code.startswith(word) for r in RULES)]
    if unknown:
        raise click.BadParameter(f"no such rule: {', '.join(unknown)} (see `ipc-lint rules`)")
    return wanted


def list_option(
    flag: str, about: str, callback: Callable[..., object] = _split, metavar: str = "LIST"
) -> Callable[[_Command], _Command]:
    """An option that may be repeated and may hold commas."""
    return click.option(flag, multiple=True, callback=callback, metavar=metavar, help=about)


def looking(command: _Command) -> _Command:
    """What every command takes that looks at files: which, for what, and in which colours."""
    for option in (
        click.option(
            "--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True
        ),
        click.option("--no-respect-gitignore", is_flag=True, help="Check what git ignores, too."),
        click.option("--force-exclude", is_flag=True, help="Exclude even files that are named."),
        list_option("--extend-exclude", "Patterns to pass over, besides the defaults."),
        list_option("--exclude", "Patterns to pass over, in place of the defaults."),
        click.option("--no-preset", is_flag=True, help="Use no built-in knowledge of sglang."),
        list_option("--field", "The attribute to follow; again for more.", _fields, "NAME"),
    ):
        command = option(command)
    return command


def settings_of(options: dict[str, Any]) -> Settings:
    """The settings that the options of a command come to."""
    from ipc_lint.settings import Settings

    if options["no_preset"] and not options["field"]:
        raise click.UsageError("--no-preset leaves nothing to look for: name a --field")
    default = Settings()
    return Settings(
        fields=options["field"],
        preset=None if options["no_preset"] else default.preset,
        select=options.get("select", ()),
        ignore=options.get("ignore", ()),
        exclude=options["exclude"] or default.exclude,
        extend_exclude=options["extend_exclude"],
        force_exclude=options["force_exclude"],
        respect_gitignore=not options["no_respect_gitignore"],
    )


@contextmanager
def patterns_are_usage() -> Iterator[None]:
    """A pattern that is none is bad usage."""
    from ipc_lint.files.ignore import BadPattern

    try:
        yield
    except BadPattern as error:
        raise click.UsageError(f"not a pattern: {error}") from None
