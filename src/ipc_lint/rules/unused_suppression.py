"""IPC901."""

from __future__ import annotations

from ipc_lint.rules._remark import AboutComments
from ipc_lint.suppress.apply import Remark


class UnusedSuppression(AboutComments):
    """A comment silences a rule that finds nothing in that statement.

    ## Why is this bad?

    The fault that it was written for is gone. The next one in the same place would go unseen.

    ## Example

    ```python
    class Message:
        rid: str | None = None
        reply_to: str | None = None

    class Job:
        def __init__(self, rid, reply_to=None):
            self.rid = rid
            self.reply_to = reply_to

    def admit(message: Message, queue):
        # The next line was mended long ago.
        queue.append(Job(message.rid, message.reply_to))  # ipc-lint: ignore[IPC001]  # IPC901
    ```

    ## Use instead

    ```python
    class Message:
        rid: str | None = None
        reply_to: str | None = None

    class Job:
        def __init__(self, rid, reply_to=None):
            self.rid = rid
            self.reply_to = reply_to

    def admit(message: Message, queue):
        # The next line was mended long ago.
        queue.append(Job(message.rid, message.reply_to))
    ```

    A code counts as unused only if its rule was asked for, and nothing counts so where no class has
    the field. Of `noqa` only codes that begin with `IPC` are looked at; a bare one may be for another
    tool.

    ## Fix safety

    Safe: only comments change. The code or the whole suppression is taken out, with its reason; what
    else the comment says stays.

    ## References

    ruff's RUF100, mypy's `warn_unused_ignores`.
    """

    code = "IPC901"
    name = "unused-suppression"

    def words(self, remark: Remark) -> tuple[str, str, str]:
        """Say which codes silence nothing."""
        if not remark.words:
            return "this comment silences nothing", "take it out", "Remove the suppression"
        named = ", ".join(remark.words)
        return (
            f"{named} is not found in this statement: there is nothing to silence",
            f"take {named} out",
            f"Remove {named}",
        )
