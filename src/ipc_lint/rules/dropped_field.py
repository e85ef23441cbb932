"""IPC001."""

from __future__ import annotations

from ipc_lint.rules._construction import LosingConstruction


class DroppedField(LosingConstruction):
    """A construction copies from an object that has the field and leaves the field out.

    ## Why is this bad?

    The new object takes the place of the old one, and whatever answers it looks for the return
    address on the new one. It is not there: the answer is dropped, the client waits for ever, and
    nothing is logged. It happens on the paths that nobody tests: an error branch, a rebuilt session.

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
        job = Job(message.rid, "refused")  # IPC001
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
        job = Job(message.rid, "refused", reply_to=message.reply_to)
        queue.append(job)
    ```

    Setting the field on every way before the object leaves (`job.reply_to = message.reply_to`) is as
    good; setting it in one branch only is not. A message that a sender stamps later is no fault,
    unless it is rebuilt: three or more attributes copied under their own names, the field not.

    ## Fix safety

    The keyword is added where the origin is a name or a dotted name. That is safe if its class is
    known to declare the field and no `**` of unknown content is in the call.

    ## References

    sglang PR #22766 (an error path of `handle_generate_request`), PR #19547 (`Session.create_req`).
    """

    code = "IPC001"
    name = "dropped-field"
