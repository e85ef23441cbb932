"""IPC002."""

from __future__ import annotations

from ipc_lint.rules._construction import LosingConstruction


class NoneField(LosingConstruction):
    """A construction passes a literal None for the field although its origin has an address.

    ## Why is this bad?

    The call looks complete, the keyword is there, and a reader passes over it. The object is copied
    from one that has a return address, and None takes the address's place: whoever waits for the
    answer waits for ever.

    ## Example

    ```python
    class Message:
        rid: str | None = None
        reply_to: str | None = None

    class Job:
        def __init__(self, rid, text, reply_to=None):
            self.rid = rid
            self.text = text
            self.reply_to = reply_to

    def stamp(output: Message, job: Job):
        output.reply_to = job.reply_to

    def admit(message: Message, queue):
        job = Job(message.rid, "admitted", reply_to=None)  # IPC002
        queue.append(job)
    ```

    ## Use instead

    ```python
    class Message:
        rid: str | None = None
        reply_to: str | None = None

    class Job:
        def __init__(self, rid, text, reply_to=None):
            self.rid = rid
            self.text = text
            self.reply_to = reply_to

    def stamp(output: Message, job: Job):
        output.reply_to = job.reply_to

    def admit(message: Message, queue):
        job = Job(message.rid, "admitted", reply_to=message.reply_to)
        queue.append(job)
    ```

    A None that is replaced on every way before the object leaves is no fault, nor is one where
    nothing at hand has the field.

    ## Fix safety

    The None gives way to the origin's field: safe where the origin is a name or a dotted name whose
    class is known to declare the field.

    ## References

    No fault of the past: the rule closes the door that `dropped-field` (sglang PR #22766, PR #19547)
    leaves open.
    """

    code = "IPC002"
    name = "none-field"
