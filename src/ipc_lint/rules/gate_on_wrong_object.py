"""IPC201."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ipc_lint.model import Finding, Fix, Lost
from ipc_lint.proof import GATE
from ipc_lint.rules._rule import Rule
from ipc_lint.sites.gate_fix import move_gate
from ipc_lint.sites.visitors import GateTest, Site


class GateOnWrongObject(Rule):
    """The gate tests the class of the object read from, and shuts out a carrier that callers pass.

    ## Why is this bad?

    A stamper has to know whether it may *write* the field; what it reads from only has to *have* it.
    A test of the wrong one of the two lets nothing through that is answered with another kind of
    carrier: the address is there, and is not copied.

    ## Example

    ```python
    class Message:
        rid: str | None = None
        reply_to: str | None = None

    class Abort(Message):
        pass

    class Job:
        def __init__(self, rid, reply_to=None):
            self.rid = rid
            self.reply_to = reply_to

    class Sender:
        def __init__(self, socket):
            self.socket = socket

        def send(self, output: Message, origin=None):
            if isinstance(origin, Message) and output.reply_to is None:  # IPC201
                output.reply_to = origin.reply_to
            self.socket.send_pyobj(output)

    class Server:
        def __init__(self, socket):
            self.sender = Sender(socket)

        def end(self, job: Job):
            self.sender.send(Abort(rid=job.rid), job)
    ```

    ## Use instead

    ```python
    class Message:
        rid: str | None = None
        reply_to: str | None = None

    class Abort(Message):
        pass

    class Job:
        def __init__(self, rid, reply_to=None):
            self.rid = rid
            self.reply_to = reply_to

    class Sender:
        def __init__(self, socket):
            self.socket = socket

        def send(self, output: Message, origin=None):
            reply_to = getattr(origin, "reply_to", None)
            if isinstance(output, Message) and reply_to is not None and output.reply_to is None:
                output.reply_to = reply_to
            self.socket.send_pyobj(output)

    class Server:
        def __init__(self, socket):
            self.sender = Sender(socket)

        def end(self, job: Job):
            self.sender.send(Abort(rid=job.rid), job)
    ```

    The calls that prove it are shown with the finding. Shutting out classes without the field is
    right, and so is any test of the object that is written to.

    ## Fix safety

    Safe where the gate is part of an `if` without `else` whose body is the copy and nothing else, and
    lets in whatever is known to be written to: the field is read once with `getattr`, the test moves to
    the output, an address already set is kept. Anything else is left to a person.

    ## References

    sglang PR #33940 (`SenderWrapper.send_output`: every `AbortReq` lost its address).
    """

    code = "IPC201"
    name = "gate-on-wrong-object"

    def check(self, site: Site) -> Iterator[Finding]:
        """Report a gate that shuts out what callers pass."""
        match site:
            case GateTest(outcome=Lost(), verdict=verdict) if verdict.code == self.code and verdict.carrier:
                short = verdict.short
                message = (
                    f"`{verdict.subject}` copies the return address `{verdict.field}` only if its "
                    f"`{verdict.origin}` passes `{site.code}`, but callers answer a `{short}`, which has the "
                    f"address and does not pass: their answers are dropped and the clients hang"
                )
                more = f" and test the class of `{verdict.parameter}`, which is written to"
                help = (
                    f'read the address with `getattr({verdict.origin}, "{verdict.field}", None)`'
                    f"{more if verdict.safe else f', whatever class `{verdict.origin}` has'}"
                )
                yield self.found(site, message, help, fix=_fix(site))


def _fix(site: GateTest) -> Fix | None:
    verdict = site.verdict
    if not isinstance(site.node, cst.Call) or site.statement is None or not verdict.safe:
        return None
    names = (verdict.origin or "", verdict.parameter, verdict.field)
    edits = move_gate(site.source, site.spans, site.statement, site.node, names, verdict.taken)
    return None if edits is None else Fix(f"Test `{verdict.parameter}`", "safe", edits, kind=GATE)
