"""Decides what becomes of the field at every site; pure, over the index and the contract."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ipc_lint.contract.infer import Contract
from ipc_lint.index.project import FunctionInfo
from ipc_lint.index.types import ClassObject
from ipc_lint.judge.constructions import Constructions
from ipc_lint.judge.gates import Gates
from ipc_lint.judge.results import Results
from ipc_lint.judge.sends import Sends
from ipc_lint.judge.verdicts import Verdict


def judge(contract: Contract) -> list[Verdict]:
    """A verdict for every construction, send and gate of the field, in order of place."""
    results = Results(contract)
    constructions = Constructions(contract, results)
    found: list[Verdict] = []
    for function, names in _builders(contract):
        found.extend(constructions.judge(function, names))
    found.extend(Sends(contract, results).judge())
    found.extend(Gates(contract, results).judge())
    return sorted(found, key=lambda v: (v.function.module.path, v.at, v.kind))


def _builders(contract: Contract) -> Iterator[tuple[FunctionInfo, set[str]]]:
    """The functions that name a carrier and an identity, with the names that the carriers go by."""
    words = sorted(contract.identities)
    if not words:
        return
    identity = re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b")
    for module in contract.project.modules.values():
        names = _carrier_names(contract, module)
        if not names:
            continue
        called = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, names)))})\b")
        for function in (*module.functions.values(), module.toplevel):
            lines = module.lines[function.facts.at.line - 1 : function.facts.at.end_line]
            text = "".join(lines)
            if called.search(text) and identity.search(text):
                yield function, names


def _carrier_names(contract: Contract, module: object) -> set[str]:
    """The names under which a module knows carriers."""
    from ipc_lint.index.project import Module
    from ipc_lint.index.scope import Scope

    assert isinstance(module, Module)
    names = {cls.short for cls in module.classes.values() if cls in contract.carriers}
    for name in module.toplevel.bindings:
        for atom in contract.infer.name(name, Scope(module.toplevel)):
            if isinstance(atom, ClassObject) and atom.cls in contract.carriers:
                names.add(name)
    return names
