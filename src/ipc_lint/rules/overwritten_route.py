"""IPC202."""

from __future__ import annotations

from collections.abc import Iterator

from ipc_lint.model import Finding, Lost
from ipc_lint.rules._rule import Rule
from ipc_lint.sites.visitors import Site, Stamp


class OverwrittenRoute(Rule):
    """A sender replaces an address that its caller has already set.

    ## Why is this bad?

    Whoever builds the output knows where it has to go and says so; the sender copies the origin's
    address over it without a look. The answer goes to the wrong client.

    ## Example

    ```python
    class Message:
        rid: str | None = None
        reply_to: str | None = None

    class Answer(Message):
        def __init__(self, rid, reply_to=None):
            self.rid = rid
            self.reply_to = reply_to

    class Sender:
        def __init__(self, socket):
            self.socket = socket

        def send(self, output: Message, origin: Message):
            output.reply_to = origin.reply_to  # IPC202
            self.socket.send_pyobj(output)

    class Server:
        def __init__(self, socket):
            self.sender = Sender(socket)

        def end(self, request: Message, watcher: Message):
            self.sender.send(Answer(watcher.rid, reply_to=watcher.reply_to), request)
    ```

    ## Use instead

    ```python
    class Message:
        rid: str | None = None
        reply_to: str | None = None

    class Answer(Message):
        def __init__(self, rid, reply_to=None):
            self.rid = rid
            self.reply_to = reply_to

    class Sender:
        def __init__(self, socket):
            self.socket = socket

        def send(self, output: Message, origin: Message):
            if output.reply_to is None:
                output.reply_to = origin.reply_to
            self.socket.send_pyobj(output)

    class Server:
        def __init__(self, socket):
            self.sender = Sender(socket)

        def end(self, request: Message, watcher: Message):
            self.sender.send(Answer(watcher.rid, reply_to=watcher.reply_to), request)
    ```

    The calls that prove it are shown with the finding: without one nothing is reported. A stamper that
    writes an address of its own has the last word.

    ## Fix safety

    There is no fix: the guard is a decision about every caller.

    ## References

    The guard that sglang's `SenderWrapper.send_output` has had from the start; PR #33940 kept it.
    """

    code = "IPC202"
    name = "overwritten-route"
    severity = "warning"

    def check(self, site: Site) -> Iterator[Finding]:
        """Report a stamp that replaces what is there."""
        match site:
            case Stamp(outcome=Lost(), verdict=verdict) if verdict.code == self.code:
                message = (
                    f"`{verdict.subject}` replaces the return address of its `{verdict.parameter}` by that "
                    f"of `{verdict.origin}`, but a caller has already set another one"
                )
                help = f"set it only `if {verdict.parameter}.{verdict.field} is None`"
                yield self.found(site, message, help)
