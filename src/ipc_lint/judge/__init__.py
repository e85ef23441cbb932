"""Decides what becomes of the field at every site; pure, over the index and the contract."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ipc_lint.contract.infer import Contract
from ipc_lint.facts import At
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.judge.batches import Batches
from ipc_lint.judge.constructions import Constructions
from ipc_lint.judge.copies import Copies, classified
from ipc_lint.judge.gates import Gates
from ipc_lint.judge.nominate import nominated
from ipc_lint.judge.order import Order
from ipc_lint.judge.overwrites import Overwrites
from ipc_lint.judge.results import Results
from ipc_lint.judge.sends import Sends
from ipc_lint.judge.stamps import Stamps, gates_before_stamps
from ipc_lint.judge.verdicts import Verdict
from ipc_lint.model import Kind


def judge(
    contract: Contract, asked: Collection[str] | None = None, *, everything: bool = False
) -> list[Verdict]:
    """A verdict for the constructions, sends and gates of the field, in order of place.

    ``asked`` are the paths of the files to look at, None for all of them.

    Constructions that are given no identity can't be a fault, nor can stamps and copies made by a
    function for it; they are listed only if ``everything`` is asked for.
    """
    results = Results(contract, asked)
    constructions = Constructions(contract, results)
    found: list[Verdict] = []
    for function, calls in nominated(contract, asked, everything=everything):
        found.extend(constructions.judge(function, calls))
    found.extend(Sends(contract, results, constructions).judge())
    found.extend(Gates(contract, results).judge())
    for judge_of in (Order, Overwrites, Batches):
        found.extend(judge_of(contract, results).judge())
    if everything:
        every = [classified(verdict) for verdict in (*found, *_listed(contract, results))]
        found = [v for v in _without_doubles(every) if results.is_asked(v.function)]
    return sorted(found, key=lambda v: (v.function.module.path, v.at, v.kind))


def _listed(contract: Contract, results: Results) -> Iterator[Verdict]:
    """The sites that are no fault by themselves."""
    yield from Copies(contract, results).judge()
    yield from Stamps(contract).judge()
    yield from gates_before_stamps(contract)


def _without_doubles(verdicts: Sequence[Verdict]) -> Iterator[Verdict]:
    """A fault stands for whatever else is said of its place, and a gate is listed once."""
    faults = {_place(verdict) for verdict in verdicts if verdict.code is not None}
    gates: set[tuple[FunctionInfo, At, Kind]] = set()
    for verdict in verdicts:
        place = _place(verdict)
        if (verdict.code is None and place in faults) or place in gates:
            continue
        if verdict.kind == "gate":
            gates.add(place)
        yield verdict


def _place(verdict: Verdict) -> tuple[FunctionInfo, At, Kind]:
    return verdict.function, verdict.at, verdict.kind
