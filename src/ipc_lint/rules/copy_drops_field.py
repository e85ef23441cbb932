"""IPC301."""

from __future__ import annotations

from ipc_lint.rules._construction import LosingConstruction


class CopyDropsField(LosingConstruction):
    """A method builds another object of its own kind from `self` and leaves the field out.

    ## Why is this bad?

    `__getitem__`, `copy`, `split`, `from_other`: the copy stands for the original from here on, and
    it lists attribute after attribute. The one that says where the answer goes is easily forgotten,
    because everything works until somebody answers a copy.

    ## Example

    ```python
    class Message:
        def __init__(self, rid, text, reply_to=None):
            self.rid = rid
            self.text = text
            self.reply_to = reply_to

        def __getitem__(self, place):
            return Message(self.rid[place], self.text[place])  # IPC301

    def stamp(output: Message, address):
        output.reply_to = address
    ```

    ## Use instead

    ```python
    class Message:
        def __init__(self, rid, text, reply_to=None):
            self.rid = rid
            self.text = text
            self.reply_to = reply_to

        def __getitem__(self, place):
            return Message(self.rid[place], self.text[place], reply_to=self.reply_to)

    def stamp(output: Message, address):
        output.reply_to = address
    ```

    Copies that somebody stamps where they are taken (`part = message[0]`, then `part.reply_to = ...`)
    are no fault, nor are pieces that go out together with an explicit address. Where a sender may
    still set the field the finding is a warning.

    ## Fix safety

    Safe: the keyword is read from the object that the method copies. Where one item of a list of
    addresses belongs to the copy, there is no fix.

    ## References

    sglang PR #12053 (`GenerateReqInput.__getitem__`, `EmbeddingReqInput.__getitem__`).
    """

    code = "IPC301"
    name = "copy-drops-field"
    built = "is copied from"
