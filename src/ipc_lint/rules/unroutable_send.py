"""IPC102."""

from __future__ import annotations

from collections.abc import Iterator

from ipc_lint.model import Finding, Lost
from ipc_lint.rules._rule import Rule
from ipc_lint.sites.visitors import Send, Site


class UnroutableSend(Rule):
    """A sender is called with an output that has no field and answers no request.

    ## Why is this bad?

    With one receiver it arrives; as soon as there are two, somebody has to choose by the address,
    finds none and drops the message. Nothing fails where it is sent.

    ## Example

    ```python
    class Message:
        rid: str | None = None
        reply_to: str | None = None

    class Health(Message):
        pass

    class Sender:
        def __init__(self, socket):
            self.socket = socket

        def send(self, output: Message, origin=None):
            if origin is not None and output.reply_to is None:
                output.reply_to = origin.reply_to
            self.socket.send_pyobj(output)

    class Server:
        def __init__(self, socket, waiting):
            self.sender = Sender(socket)
            self.waiting = waiting

        def beat(self):
            self.sender.send(Health())  # IPC102
    ```

    ## Use instead

    ```python
    class Message:
        rid: str | None = None
        reply_to: str | None = None

    class Health(Message):
        pass

    class Sender:
        def __init__(self, socket):
            self.socket = socket

        def send(self, output: Message, origin=None):
            if origin is not None and output.reply_to is None:
                output.reply_to = origin.reply_to
            self.socket.send_pyobj(output)

    class Server:
        def __init__(self, socket, waiting):
            self.sender = Sender(socket)
            self.waiting = waiting

        def beat(self):
            self.sender.send(Health(reply_to=self.waiting.popleft()))
    ```

    ## Fix safety

    There is no fix: somebody has to decide whether the message goes to one address, which has to be
    kept until then, or to all of them.

    ## References

    sglang PR #20256 (`HealthCheckOutput()`); `ActiveRanksOutput(...)`, open.
    """

    code = "IPC102"
    name = "unroutable-send"

    def check(self, site: Site) -> Iterator[Finding]:
        """Report a send of something that nobody can route."""
        match site:
            case Send(outcome=Lost(), verdict=verdict) if verdict.code == self.code and verdict.carrier:
                message = (
                    f"`{verdict.short}` is sent without a return address: it has no "
                    f"`{verdict.field}` and answers no request, so with more than one receiver nobody "
                    f"can route it and it is dropped"
                )
                yield self.found(
                    site, message, f"give it an address (`{verdict.field}=...`), or send it to all receivers"
                )
