"""Decides what becomes of the field at every site; pure, over the index and the contract."""

from __future__ import annotations

from ipc_lint.contract.infer import Contract
from ipc_lint.judge.constructions import Constructions
from ipc_lint.judge.copies import Copies, classified
from ipc_lint.judge.gates import Gates
from ipc_lint.judge.nominate import nominated
from ipc_lint.judge.results import Results
from ipc_lint.judge.sends import Sends
from ipc_lint.judge.stamps import Stamps, gates_before_stamps
from ipc_lint.judge.verdicts import Verdict


def judge(contract: Contract, *, everything: bool = False) -> list[Verdict]:
    """A verdict for the constructions, sends and gates of the field, in order of place.

    Constructions that are given no identity can't be a fault, nor can stamps and copies made by a
    function for it; they are listed only if ``everything`` is asked for.
    """
    results = Results(contract)
    constructions = Constructions(contract, results)
    found: list[Verdict] = []
    for function, calls in nominated(contract, everything=everything):
        found.extend(constructions.judge(function, calls))
    found.extend(Sends(contract, results, constructions).judge())
    found.extend(Gates(contract, results).judge())
    if everything:
        found = [classified(verdict) for verdict in found]
        found.extend(Copies(contract, results).judge())
        found.extend(Stamps(contract).judge())
        judged = {(v.function, v.at) for v in found if v.kind == "gate"}
        found.extend(v for v in gates_before_stamps(contract) if (v.function, v.at) not in judged)
    return sorted(found, key=lambda v: (v.function.module.path, v.at, v.kind))
