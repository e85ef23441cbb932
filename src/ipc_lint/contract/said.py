"""The contract in words: what was inferred, and where it stands."""

from __future__ import annotations

from collections.abc import Iterator

from ipc_lint.contract.infer import Contract
from ipc_lint.contract.nouns import Carrier, Sender, Stamper
from ipc_lint.model import Inferred


def inferred(contract: Contract) -> Iterator[Inferred]:
    """The carriers, then the stampers, then the senders."""
    field = contract.fields.single
    for cls, carrier in contract.carriers.items():
        what = _carrier(carrier, contract.is_message(cls))
        yield Inferred("carrier", cls.module.path, cls.facts.at.line, cls.name, field, what)
    for function, stamper in contract.stampers.items():
        if function not in contract.senders:
            line = function.facts.at.line
            yield Inferred("stamper", function.module.path, line, function.qualname, field, _stamper(stamper))
    for function, sender in contract.senders.items():
        line = function.facts.at.line
        yield Inferred("sender", function.module.path, line, function.qualname, field, _sender(sender))


def _carrier(carrier: Carrier, is_message: bool) -> str:
    names = " and ".join(sorted(carrier.fields))
    return f"a message, has {names}" if is_message else f"has {names}, and no sender stamps it"


def _stamper(stamper: Stamper) -> str:
    if stamper.origin is None:
        return f"sets an address of its own on `{stamper.output}`"
    return f"copies the address from `{stamper.origin}` to `{stamper.output}`"


def _sender(sender: Sender) -> str:
    through = "" if sender.through is None else f" through {sender.through.qualname}"
    if sender.origin is None:
        return f"hands `{sender.output}` on{through}, and asks for no origin"
    return f"copies the address from `{sender.origin}` to `{sender.output}` and hands that on{through}"
