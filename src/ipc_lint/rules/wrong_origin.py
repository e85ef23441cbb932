"""IPC003."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ipc_lint.model import Finding, Fix, Lost
from ipc_lint.proof import VALUE
from ipc_lint.rules._rule import Rule
from ipc_lint.sites.edits import replace_value
from ipc_lint.sites.visitors import Construction, Site


class WrongOrigin(Rule):
    """A construction takes the field from another object than it takes the identity from.

    ## Why is this bad?

    The answer carries the name of one request and goes to the client of another: one client gets an
    answer that it never asked for, the other waits for ever.

    ## Example

    ```python
    class Job:
        def __init__(self, rid, reply_to=None):
            self.rid = rid
            self.reply_to = reply_to

    class Message:
        rid: str | None = None
        reply_to: str | None = None

    def stamp(output: Message, job: Job):
        output.reply_to = job.reply_to

    def replace(message: Message, waiting: Message, queue):
        queue.append(Job(message.rid, reply_to=waiting.reply_to))  # IPC003
    ```

    ## Use instead

    ```python
    class Job:
        def __init__(self, rid, reply_to=None):
            self.rid = rid
            self.reply_to = reply_to

    class Message:
        rid: str | None = None
        reply_to: str | None = None

    def stamp(output: Message, job: Job):
        output.reply_to = job.reply_to

    def replace(message: Message, waiting: Message, queue):
        queue.append(Job(message.rid, reply_to=message.reply_to))
    ```

    Where one of the two objects comes from the other (an item of it, a copy, what was looked up with
    it), here or at a caller, they share an address and nothing is reported.

    ## Fix safety

    Unsafe: the identity may be the one that is wrong.

    ## References

    No fault of the past: it is what a hasty cure of `dropped-field` looks like.
    """

    code = "IPC003"
    name = "wrong-origin"
    severity = "warning"

    def check(self, site: Site) -> Iterator[Finding]:
        """Report an address that belongs to another request."""
        match site:
            case Construction(outcome=Lost(), verdict=verdict) if verdict.code == self.code:
                message = (
                    f"`{verdict.subject}` has the identity of `{verdict.origin}` and the return address of "
                    f"another object: the answer goes to a client that did not ask"
                )
                help = f"take both from one object: `{verdict.field}={verdict.origin}.{verdict.field}`"
                yield self.found(site, message, help, fix=_fix(site))


def _fix(site: Construction) -> Fix | None:
    verdict = site.verdict
    for arg in site.node.args:
        if arg.keyword is not None and arg.keyword.value == verdict.field:
            value = f"{verdict.origin}.{verdict.field}"
            if isinstance(arg.value, cst.Attribute):
                return Fix(f"Take `{value}`", "unsafe", (replace_value(site.layout, arg, value),), kind=VALUE)
    return None
