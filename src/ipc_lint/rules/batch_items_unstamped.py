"""IPC302."""

from __future__ import annotations

from collections.abc import Iterator

from ipc_lint.model import Finding, Lost
from ipc_lint.rules._rule import Rule
from ipc_lint.sites.visitors import Construction, Site


class BatchItemsUnstamped(Rule):
    """A batch has an address, its items have none, and the receiver answers the items.

    ## Why is this bad?

    The wrapper is stamped and everything looks right on the wire. At the other end it is taken apart,
    each item goes its own way, and the address stays behind on the wrapper.

    ## Example

    ```python
    from dataclasses import dataclass

    @dataclass
    class Message:
        rid: str | None = None
        reply_to: str | None = None

    @dataclass
    class Order(Message):
        text: str = ""

    @dataclass
    class Parcel(Message):
        orders: list[Order] | None = None

    def send(parcel: Parcel, address, socket):
        parcel.reply_to = address
        socket.send_pyobj(parcel)

    def pack(texts, address, socket):
        orders = [Order(text=text) for text in texts]
        send(Parcel(orders=orders), address, socket)  # IPC302

    def serve(parcel: Parcel, queue):
        for order in parcel.orders:
            queue.append((order.text, order.reply_to))
    ```

    ## Use instead

    ```python
    from dataclasses import dataclass

    @dataclass
    class Message:
        rid: str | None = None
        reply_to: str | None = None

    @dataclass
    class Order(Message):
        text: str = ""

    @dataclass
    class Parcel(Message):
        orders: list[Order] | None = None

    def send(parcel: Parcel, address, socket):
        for order in parcel.orders:
            order.reply_to = address
        parcel.reply_to = address
        socket.send_pyobj(parcel)

    def pack(texts, address, socket):
        orders = [Order(text=text) for text in texts]
        send(Parcel(orders=orders), address, socket)

    def serve(parcel: Parcel, queue):
        for order in parcel.orders:
            queue.append((order.text, order.reply_to))
    ```

    Reported only where the items are made beside the batch, nobody sets the field on an item of such a
    batch, and somebody reads it from one.

    ## Fix safety

    There is no fix: the items may get their address in several places.

    ## References

    sglang PR #12053, PR #27995, PR #29882 (batches of tokenized requests).
    """

    code = "IPC302"
    name = "batch-items-unstamped"

    def check(self, site: Site) -> Iterator[Finding]:
        """Report a batch whose items are without an address."""
        match site:
            case Construction(outcome=Lost(), verdict=verdict) if verdict.code == self.code:
                item = verdict.short or "item"
                message = (
                    f"`{verdict.subject}` gets a return address, but each `{item}` in its "
                    f"`{verdict.origin}` has none, and the receiver answers those: their clients hang"
                )
                help = f"set `{verdict.field}` on every item, too"
                yield self.found(site, message, help)
