"""IPC401."""

from __future__ import annotations

from collections.abc import Iterator

from ipc_lint.model import Finding, Fix, Lost
from ipc_lint.proof import MOVE
from ipc_lint.rules._rule import Rule
from ipc_lint.sites.order_fix import move_stamp
from ipc_lint.sites.visitors import Site, Stamp


class StampedTooLate(Rule):
    """The address is set on an object after copies were made of it and kept.

    ## Why is this bad?

    An object that gives out its items and remembers them copies its own address into each. Whoever
    takes an item before the address is set gets one without, and gets the same one again later: the
    stamp that follows reaches the object and none of its items.

    ## Example

    ```python
    class Batch:
        def __init__(self, rid, texts, reply_to=None):
            self.rid = rid
            self.texts = texts
            self.reply_to = reply_to
            self.parts = {}

        def __getitem__(self, place):
            if place not in self.parts:
                part = Batch(self.rid[place], self.texts[place], reply_to=self.reply_to)
                self.parts[place] = part
            return self.parts[place]

    class Server:
        address: str

        def serve(self, batch: Batch):
            self.register(batch)
            batch.reply_to = self.address  # IPC401

        def register(self, batch: Batch):
            print(batch[0].rid)
    ```

    ## Use instead

    ```python
    class Batch:
        def __init__(self, rid, texts, reply_to=None):
            self.rid = rid
            self.texts = texts
            self.reply_to = reply_to
            self.parts = {}

        def __getitem__(self, place):
            if place not in self.parts:
                part = Batch(self.rid[place], self.texts[place], reply_to=self.reply_to)
                self.parts[place] = part
            return self.parts[place]

    class Server:
        address: str

        def serve(self, batch: Batch):
            batch.reply_to = self.address
            self.register(batch)

        def register(self, batch: Batch):
            print(batch[0].rid)
    ```

    Copies that are not kept are no fault, nor is a late stamp that sets the items, too.

    ## Fix safety

    Unsafe: the stamp moves before the statement that makes the first copies, if both stand in one block
    and nothing that it reads is set in between. What stands there may still be there for a reason.

    ## References

    sglang PR #26831 (`TokenizerManager.generate_request` stamps after `obj[i]` filled a cache).
    """

    code = "IPC401"
    name = "stamped-too-late"

    def check(self, site: Site) -> Iterator[Finding]:
        """Report a stamp that does not reach the copies."""
        match site:
            case Stamp(outcome=Lost(), verdict=verdict) if verdict.code == self.code:
                made = f"by `{verdict.origin}`" if verdict.origin else "above"
                message = (
                    f"`{verdict.field}` is set too late: copies of the `{verdict.subject}` were made {made} "
                    f"and are kept without a return address, so what is answered through them is lost"
                )
                help = "set the address before the first copy is made"
                yield self.found(site, message, help, fix=_fix(site))


def _fix(site: Stamp) -> Fix | None:
    first = site.verdict.proofs[0]
    if not first.here:
        return None  # the copies are not made by a call in the same function
    copied = site.source.offset(first.at.line, first.at.column)
    edits = move_stamp(site.source, site.spans, site.node, copied)
    return None if edits is None else Fix("Move the stamp up", "unsafe", edits, kind=MOVE)
