"""IPC101."""

from __future__ import annotations

from collections.abc import Iterator

from ipc_lint.model import Finding, Lost
from ipc_lint.rules._rule import Rule
from ipc_lint.sites.visitors import Send, Site


class SendWithoutOrigin(Rule):
    """A sender is called without the origin, which is at hand, and the output has no field.

    ## Why is this bad?

    A sender takes the return address from the object that is answered. Without that object it sends
    the output as it is; whoever routes it finds no address and drops it.

    ## Example

    ```python
    class Message:
        rid: str | None = None
        reply_to: str | None = None

    class Abort(Message):
        pass

    class Sender:
        def __init__(self, socket):
            self.socket = socket

        def send(self, output: Message, origin=None):
            if origin is not None and output.reply_to is None:
                output.reply_to = origin.reply_to
            self.socket.send_pyobj(output)

    class Server:
        def __init__(self, socket):
            self.sender = Sender(socket)

        def refuse(self, message: Message):
            self.sender.send(Abort(rid=message.rid))  # IPC101
    ```

    ## Use instead

    ```python
    class Message:
        rid: str | None = None
        reply_to: str | None = None

    class Abort(Message):
        pass

    class Sender:
        def __init__(self, socket):
            self.socket = socket

        def send(self, output: Message, origin=None):
            if origin is not None and output.reply_to is None:
                output.reply_to = origin.reply_to
            self.socket.send_pyobj(output)

    class Server:
        def __init__(self, socket):
            self.sender = Sender(socket)

        def refuse(self, message: Message):
            self.sender.send(Abort(rid=message.rid), message)
    ```

    At hand is the object that the output's identity comes from, or the one parameter or loop
    variable that is a carrier.

    ## References

    sglang sends every `AbortReq` together with the request that it ends, from 0.5.4 on.
    """

    code = "IPC101"
    name = "send-without-origin"

    def check(self, site: Site) -> Iterator[Finding]:
        """Report a send that leaves out the origin it has at hand."""
        match site:
            case Send(outcome=Lost(), verdict=verdict) if verdict.code == self.code and verdict.carrier:
                message = (
                    f"`{verdict.carrier.cls.short}` is sent without what it answers: "
                    f"`{verdict.subject}` copies the return address `{verdict.field}` from its "
                    f"`{verdict.parameter}`, which is left out although `{verdict.origin}` is at hand, so "
                    f"the output is dropped and the client hangs"
                )
                yield self.found(site, message, f"say what is answered: add `{verdict.origin}` to the call")
