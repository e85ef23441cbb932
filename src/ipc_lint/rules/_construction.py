"""What the rules have in common that report a construction which loses the field."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ipc_lint.model import Finding, Fix, Lost
from ipc_lint.rules._rule import Rule
from ipc_lint.sites.edits import add_argument, replace_value
from ipc_lint.sites.visitors import Construction, Site


class LosingConstruction(Rule):
    """Reports the constructions with the rule's code; ``built`` says how the object is made."""

    built = "is built from"

    def check(self, site: Site) -> Iterator[Finding]:
        """Report a construction that loses the field."""
        match site:
            case Construction(outcome=Lost(reason), verdict=verdict) if verdict.code == self.code:
                origin = verdict.origin or "an object"
                made = (
                    f"`{verdict.subject}` {self.built} `{origin}`, but its return address is lost: {reason}"
                )
                keyword = _keyword(site)
                help = f"pass it along: `{keyword}`" if keyword else f"set `{verdict.field}` before it leaves"
                fix = None if keyword is None else _fix(site, keyword)
                if verdict.later:
                    message = f"{made}; only `{verdict.later}` may still set it before it is sent"
                    yield self.found(site, message, help, "warning", fix=fix)
                else:
                    message = f"{made}, so the answer cannot be routed and the client that waits for it hangs"
                    yield self.found(site, message, help, fix=fix)


def _keyword(site: Construction) -> str | None:
    """The argument that is missing, if the call takes one."""
    verdict = site.verdict
    if verdict.origin is None or not verdict.takes:
        return None
    value = verdict.origin if verdict.in_step else f"{verdict.origin}.{verdict.field}"
    return f"{verdict.field}={value}"


def _fix(site: Construction, keyword: str) -> Fix | None:
    given = _given(site)
    if given is not None:
        edit = replace_value(site.layout, given, keyword.partition("=")[2])
    elif site.verdict.code == "IPC002":
        return None  # the None comes out of a dict: a second keyword of that name would be an error
    else:
        added = add_argument(site.layout, keyword)
        if added is None:
            return None
        edit = added
    # A dict that is filled above the call may hold the field after all, by a way that nobody saw.
    spread = any(arg.star == "**" and isinstance(arg.value, cst.Name) for arg in site.node.args)
    safe = site.verdict.safe and not spread
    return Fix(f"Pass `{keyword}`", "safe" if safe else "unsafe", (edit,))


def _given(site: Construction) -> cst.Arg | None:
    """The argument that stands where the field belongs: a None, if there is any."""
    verdict, args = site.verdict, site.node.args
    for arg in args:
        if arg.keyword is not None and arg.keyword.value == verdict.field:
            return arg
    if verdict.code != "IPC002" or verdict.place < 0:
        return None
    by_place = all(arg.keyword is None and not arg.star for arg in args[: verdict.place + 1])
    return args[verdict.place] if by_place and verdict.place < len(args) else None
