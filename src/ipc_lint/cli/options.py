"""The options that commands share, and the settings that they come to."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ipc_lint.cli.exits import INCOMPLETE

if TYPE_CHECKING:
    from ipc_lint.config.resolve import Configs
    from ipc_lint.crew import Crew
    from ipc_lint.settings import Layer

_SEE = "see `ipc-lint rules`"
_Command = TypeVar("_Command", bound=Callable[..., Any])


def _split(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """The values of an option that may be repeated and may hold commas."""
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


def _fields(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    if not values:
        return ()
    from ipc_lint.settings import NotAField, field_names

    try:
        return field_names(values)
    except NotAField as error:
        raise click.BadParameter(error.message) from None


def _rules(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Codes, prefixes of codes and names; an unknown one is a usage error."""
    wanted = _split(ctx, param, values)
    if any(not _split(ctx, param, (value,)) for value in values):
        raise click.BadParameter("it is empty")
    if not wanted:
        return ()
    from ipc_lint.codes import WORDS

    unknown = [word for word in wanted if word not in WORDS]
    if unknown:
        raise click.BadParameter(no_such_rule(unknown))
    return wanted


def no_such_rule(words: Sequence[str]) -> str:
    """What is wrong with words that stand for no rule, and what the first may have meant."""
    from ipc_lint.codes import guess

    near = guess(words[0])
    return f"no such rule: {', '.join(words)} ({f'did you mean {near}?' if near else _SEE})"


def _filled(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value == "":
        raise click.BadParameter("it is empty")
    return value


def filled_option(
    flag: str, about: str, metavar: str = "FILE", type: click.ParamType[Any] | None = None, **more: Any
) -> Callable[[_Command], _Command]:
    """An option, a path if nothing else is said, for which an empty value can only be a mistake."""
    kind = type or click.Path()
    return click.option(flag, type=kind, callback=_filled, metavar=metavar, help=about, **more)


def cache_folder(about: str) -> Callable[[_Command], _Command]:
    """The option that names a cache folder."""
    return filled_option("--cache-dir", about, "DIR", envvar="IPC_LINT_CACHE_DIR")


def some_paths(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """The paths that are asked for; an empty one would mean the current folder."""
    if "" in values:
        raise click.BadParameter("an empty path")
    return values


def list_option(
    flag: str, about: str, callback: Callable[..., object] = _split, metavar: str = "LIST"
) -> Callable[[_Command], _Command]:
    """An option that may be repeated and may hold commas."""
    return click.option(flag, multiple=True, callback=callback, metavar=metavar, help=about)


def choosing(command: _Command) -> _Command:
    """What every command takes that reports findings: of which rules."""
    command = list_option("--ignore", "Not these rules.", _rules)(command)
    about = "Only these rules: codes, prefixes such as IPC1, or names."
    return list_option("--select", about, _rules)(command)


def remembering(command: _Command) -> _Command:
    """Where results are remembered from one run to the next, and whether."""
    folder = cache_folder("Remember results there, not in .ipc_lint_cache.")
    return click.option("--no-cache", is_flag=True, help="Remember nothing, and use nothing remembered.")(
        folder(command)
    )


def looking(command: _Command) -> _Command:
    """What every command takes that looks at files: which, and for what."""
    for option in (
        click.option("--no-respect-gitignore", is_flag=True, help="Check what git ignores, too."),
        click.option("--force-exclude", is_flag=True, help="Exclude even files that are named."),
        list_option("--extend-exclude", "Patterns to pass over, besides the defaults."),
        list_option("--exclude", "Patterns to pass over, in place of the defaults."),
        click.option("--no-preset", is_flag=True, help="Use no built-in knowledge of sglang."),
        filled_option("--config", "This config file, for every path."),
        list_option("--field", "The attribute to follow; again for more.", _fields, "NAME"),
        click.option(
            "-j",
            "--jobs",
            type=click.IntRange(min=1),
            metavar="N",
            help="Work in so many processes (default: as many as there are processors).",
        ),
    ):
        command = option(command)
    return command


def colouring(command: _Command) -> _Command:
    """What every command takes that shows something for people."""
    choice = click.Choice(["auto", "always", "never"])
    return click.option("--color", type=choice, default="auto", show_default=True)(command)


def configs_of(options: dict[str, Any], paths: Iterable[str]) -> Configs:
    """The settings of every folder: defaults, config file, and on top what the options say."""
    from ipc_lint.config.resolve import Configs

    said: Layer = {}
    if options["field"]:
        said["fields"] = options["field"]
    if options["no_preset"]:
        said["preset"] = None
    if options.get("select"):
        said["select"] = options["select"]
    if options["exclude"]:
        said["exclude"] = options["exclude"]
    if options["force_exclude"]:
        said["force_exclude"] = True
    if options["no_respect_gitignore"]:
        said["respect_gitignore"] = False
    if options.get("baseline"):
        said["baseline"] = os.path.abspath(options["baseline"])
    if options.get("no_cache") is False:
        said["cache"] = os.path.abspath(options["cache_dir"]) if options["cache_dir"] else ""
    said["ignore"] = options.get("ignore", ())
    said["extend_exclude"] = options["extend_exclude"]
    configs = Configs(said, options["config"])
    configs.must_follow_something(paths)
    return configs


@contextmanager
def crew_of(options: dict[str, Any]) -> Iterator[Crew]:
    """The processes that share the work."""
    from ipc_lint.crew import Crew

    crew = Crew(options["jobs"] or _processors())
    try:
        yield crew
    finally:
        crew.close()


def _processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class BadSettings(click.ClickException):
    """What was asked for can't be done: each reason on a line of its own."""

    exit_code = INCOMPLETE


@contextmanager
def said_in_lines() -> Iterator[None]:
    """What can't be followed is said in a few lines, with exit code 2."""
    try:
        yield
    except Exception as error:
        said = _said(error)
        if said is None:
            raise
        raise said from None


def _said(error: Exception) -> click.ClickException | None:
    """An error in lines for the user; None for one that is none of theirs."""
    # They take a while to load, and few runs end so.
    from ipc_lint.baseline import BadBaseline
    from ipc_lint.config.read import BadConfig
    from ipc_lint.files.ignore import BadPattern
    from ipc_lint.files.paths import shown
    from ipc_lint.settings import NothingToFollow
    from ipc_lint.since import NoHistory

    if isinstance(error, BadPattern):
        return click.UsageError(f"not a pattern: {error}")
    if isinstance(error, NothingToFollow):
        if error.config is None:
            return click.UsageError("--no-preset leaves nothing to look for: name a --field")
        return BadSettings(
            f"{shown(error.config)}: `preset = false` leaves nothing to look for: name `fields`"
        )
    return BadSettings(str(error)) if isinstance(error, (BadConfig, BadBaseline, NoHistory)) else None
