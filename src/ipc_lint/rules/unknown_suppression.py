"""IPC902."""

from __future__ import annotations

from ipc_lint.rules._remark import AboutComments
from ipc_lint.suppress.apply import Remark


class UnknownSuppression(AboutComments):
    """A comment is meant to silence something but names no rule, or is not understood.

    ## Why is this bad?

    It silences nothing, although whoever reads it will think so. Most often it is a typing mistake.

    ## Example

    ```python
    def admit(message, queue):
        queue.append(message)  # ipc-lint: ignore[IPC01]  # IPC902
    ```

    ## Use instead

    ```python
    def admit(message, queue):
        queue.append(message)  # noqa: E501
    ```

    The code of a rule (`IPC001`), the beginning of one (`IPC1`) or its name, in brackets and separated
    by commas: `ipc-lint rules` lists them.

    ## Fix safety

    There is no fix: only its author knows what was meant.

    ## References

    ruff warns of unknown codes in `noqa` likewise.
    """

    code = "IPC902"
    name = "unknown-suppression"

    def words(self, remark: Remark) -> tuple[str, str, str]:
        """Say what is not known."""
        if remark.why:
            return (
                f"this suppression is not understood and silences nothing: {remark.why}",
                "write `# ipc-lint: ignore[CODE]`",
                "",
            )
        meant = f"did you mean `{remark.guess}`?" if remark.guess else "see `ipc-lint rules`"
        return f"`{remark.words[0]}` names no rule and silences nothing", meant, ""
