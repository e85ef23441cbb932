"""The rules, in the order of their codes: one file each, listed here and nowhere else."""

from __future__ import annotations

from ipc_lint.rules._remark import AboutComments
from ipc_lint.rules._rule import Rule
from ipc_lint.rules.batch_items_unstamped import BatchItemsUnstamped
from ipc_lint.rules.copy_drops_field import CopyDropsField
from ipc_lint.rules.dropped_field import DroppedField
from ipc_lint.rules.gate_on_wrong_object import GateOnWrongObject
from ipc_lint.rules.none_field import NoneField
from ipc_lint.rules.overwritten_route import OverwrittenRoute
from ipc_lint.rules.send_without_origin import SendWithoutOrigin
from ipc_lint.rules.stamped_too_late import StampedTooLate
from ipc_lint.rules.unknown_suppression import UnknownSuppression
from ipc_lint.rules.unroutable_send import UnroutableSend
from ipc_lint.rules.unused_suppression import UnusedSuppression
from ipc_lint.rules.wrong_origin import WrongOrigin

RULES: tuple[type[Rule], ...] = (
    DroppedField,
    NoneField,
    WrongOrigin,
    SendWithoutOrigin,
    UnroutableSend,
    GateOnWrongObject,
    OverwrittenRoute,
    CopyDropsField,
    BatchItemsUnstamped,
    StampedTooLate,
    UnusedSuppression,
    UnknownSuppression,
)

__all__ = ["RULES", "AboutComments", "Rule"]
