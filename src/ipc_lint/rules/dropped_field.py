"""IPC001."""

from __future__ import annotations

from collections.abc import Iterator

from ipc_lint.model import Finding, Lost
from ipc_lint.rules._rule import Rule
from ipc_lint.sites.visitors import Construction, Site


class DroppedField(Rule):
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

    ## References

    sglang PR #22766 (an error path of `handle_generate_request`), PR #19547 (`Session.create_req`).
    """

    code = "IPC001"
    name = "dropped-field"

    def check(self, site: Site) -> Iterator[Finding]:
        """Report a construction that loses the field."""
        match site:
            case Construction(outcome=Lost(reason), verdict=verdict) if verdict.code == self.code:
                origin = verdict.origin or "an object"
                built = (
                    f"`{verdict.subject}` is built from `{origin}`, but its return address is lost: {reason}"
                )
                if verdict.later:
                    message = f"{built}; only `{verdict.later}` may still set it before it is sent"
                    yield self.found(site, message, self._help(site, origin), "warning")
                else:
                    message = (
                        f"{built}, so the answer cannot be routed and the client that waits for it hangs"
                    )
                    yield self.found(site, message, self._help(site, origin))

    def _help(self, site: Site, origin: str) -> str:
        field = site.verdict.field
        value = origin if site.verdict.in_step else f"{origin}.{field}"
        return f"pass it along: `{field}={value}`"
