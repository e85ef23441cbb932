"""IPC101."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ipc_lint.model import Edit, Finding, Fix, Lost
from ipc_lint.rules._rule import Rule
from ipc_lint.sites.edits import add_argument, replace_value
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

    ## Fix safety

    Safe if the origin is a name of one meaning whose class declares the field, and the sender's gate
    takes any object.

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
                    f"`{verdict.short}` is sent without what it answers: "
                    f"`{verdict.subject}` copies the return address `{verdict.field}` from its "
                    f"`{verdict.parameter}`, which is {_absent(site)} although `{verdict.origin}` is at "
                    f"hand, so the output is dropped and the client hangs"
                )
                help = f"say what is answered: add `{verdict.origin}` to the call"
                yield self.found(site, message, help, fix=_fix(site))


def _given(site: Send) -> cst.Arg | None:
    """The argument that stands where the origin belongs: a None, if there is any."""
    verdict, args = site.verdict, site.node.args
    for arg in args:
        if arg.keyword is not None and arg.keyword.value == verdict.parameter:
            return arg
    by_place = all(arg.keyword is None and not arg.star for arg in args[: verdict.place + 1])
    return args[verdict.place] if by_place and 0 <= verdict.place < len(args) else None


def _absent(site: Send) -> str:
    return "left out" if _given(site) is None else "None"


def _fix(site: Send) -> Fix | None:
    """The origin as an argument: by position where its neighbours are, else by keyword."""
    verdict, layout = site.verdict, site.layout
    if verdict.origin is None:
        return None
    named = _given(site)
    by_place = all(a.keyword is None and not a.star for a in site.node.args)
    if named is not None:
        edit: Edit | None = replace_value(layout, named, verdict.origin)
    elif by_place and len(site.node.args) == verdict.place:
        edit = add_argument(layout, verdict.origin)
    else:
        edit = add_argument(layout, f"{verdict.parameter}={verdict.origin}")
    if edit is None:
        return None
    return Fix(f"Add `{verdict.origin}`", "safe" if verdict.safe else "unsafe", (edit,))
