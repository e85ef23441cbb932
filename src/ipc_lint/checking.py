"""Checks the files of one project: search, scout, join, judge, locate, and let the rules speak."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import partial

from msgspec.structs import replace

from ipc_lint.contract.infer import Contract
from ipc_lint.contract.nouns import FieldPair
from ipc_lint.contract.overruled import names_of
from ipc_lint.contract.said import inferred
from ipc_lint.gather import Gathered, Gatherer
from ipc_lint.judge import judge
from ipc_lint.judge.decided import Decided, decided
from ipc_lint.locating import Request, found, located
from ipc_lint.model import Finding, Problem, SiteRecord, Span, Unproven
from ipc_lint.part import Part
from ipc_lint.presets import fields_of
from ipc_lint.remember import Checked
from ipc_lint.scouting import Memory
from ipc_lint.turns import MOST, shares

# What is judged faster than this process is copied, in bytes of source.
_WORTH_SHARING = 400_000
# How long a call of a sender takes, and what is given an identity, beside a file with neither.
_SEND, _CONSTRUCTION = 8, 4
# So many places are located faster than another process has loaded libcst.
_FEW = 100


def checked(part: Part) -> Checked:
    """What a check of one project finds."""
    # What the facts depend on is only asked where they are kept.
    memory = Memory(None, "") if part.cache is None else Memory(part.cache, part.stamp)
    gathered = _gathered(part, memory)
    crew = part.contents.crew
    # While all others judge, one loads what it takes to speak of faults: that is no less work.
    crew.prepare("ipc_lint.rules")
    groups = _groups(gathered, part.mine, crew.size - 1)
    judged = crew.fork(partial(_faults, gathered, part), groups, len(groups))
    memory.store(gathered.facts())
    findings, failed = _findings(gathered, part, [fault for faults, _ in judged for fault in faults])
    unfollowed = [places for _, places in judged]
    problems = [*_problems(gathered, part, unfollowed), *failed]
    return Checked(tuple(findings), tuple(problems), _declared(gathered))


def _groups(gathered: Gathered, mine: set[str], number: int) -> list[set[str]]:
    """The files that were asked for, in groups that take about equally long to judge."""
    sources = [source for path, source in gathered.sources.items() if path in mine]
    enough = sum(len(source.data) for source in sources) // _WORTH_SHARING
    weights = Counter(path for contract in gathered.contracts for path in _sites(contract))
    found = shares(sources, max(1, min(number, enough)), lambda source: 1 + weights[source.path])
    return [{source.path for source in share} for share in found]


def _sites(contract: Contract) -> Iterator[str]:
    """The files of the sites that take the time, each as often as it takes."""
    for sender in contract.senders:
        for site in contract.infer.callers.of(sender):
            yield from [site.caller.module.path] * _SEND
    names = [f"{name}=" for name in contract.identities]
    for function in contract.project.functions:
        if function.facts.key in function.module.bodies:
            number = sum(function.text.count(name) for name in names)
            yield from [function.module.path] * (_CONSTRUCTION * number)


def _faults(gathered: Gathered, part: Part, asked: set[str]) -> tuple[list[Decided], dict[str, int]]:
    """The faults in some of the files, and what could not be followed."""
    faults = [verdict for verdict in _verdicts(gathered, part, asked) if verdict.code is not None]
    return faults, _unfollowed(gathered)


def checked_and_listed(part: Part, sites: list[SiteRecord]) -> Checked:
    """The same; every site of the field is added to ``sites``.

    With them goes what was inferred, and how many files were not even parsed.
    """
    gathered = _gathered(part)
    verdicts = _verdicts(gathered, part, part.mine, everything=True)
    findings, failed = _findings(gathered, part, [v for v in verdicts if v.code is not None])
    sites += [_record(verdict, gathered.sources[verdict.path].span(*verdict.at)) for verdict in verdicts]
    passed_over = part.mine - gathered.sources.keys() - part.contents.unread.keys()
    return Checked(
        tuple(findings),
        (*_problems(gathered, part), *failed),
        _declared(gathered),
        inferred=tuple(it for contract in gathered.contracts for it in inferred(contract)),
        unparsed=len(passed_over),
    )


def listed(part: Part, sites: list[SiteRecord]) -> Checked:
    """What keeps sites of a project from being listed; they are located and added to ``sites``."""
    gathered = _gathered(part)
    by_function: dict[tuple[str, str, object], list[Decided]] = {}
    for verdict in _verdicts(gathered, part, part.mine, everything=True):
        by_function.setdefault((verdict.path, verdict.symbol, verdict.lines), []).append(verdict)
    failed: dict[str, Problem] = {}  # one line a file, and the other functions in it are listed
    for (path, _, _), group in by_function.items():
        for site in located(gathered.sources[path], group):
            if isinstance(site, Problem):
                failed.setdefault(site.path, site)
            else:
                sites.append(_record(site.verdict, site.span))
    return Checked((), (*_problems(gathered, part), *failed.values()), _declared(gathered))


def _gathered(part: Part, memory: Memory | None = None) -> Gathered:
    """Search, scout and join the files."""
    pairs = [FieldPair(name, f"{name}s") for name in fields_of(part.settings)]
    return Gatherer(
        part.root,
        part.words,
        pairs,
        part.beginning,
        part.settings.overrules,
        memory or Memory(None, ""),
        part.track,
    ).gather()


def _verdicts(gathered: Gathered, part: Part, asked: set[str], *, everything: bool = False) -> list[Decided]:
    """The verdicts in some of the files; what the config leaves alone is no fault."""
    left_alone = Unproven("the config leaves this function alone")
    return [
        decided(replace(v, code=None, outcome=left_alone))
        if any(fnmatchcase(n, p) for p in part.settings.ignore_functions for n in names_of(v.function))
        else decided(v)
        for contract in gathered.contracts
        for v in judge(contract, asked, everything=everything)
        if everything or v.code is not None
    ]


def _declared(gathered: Gathered) -> frozenset[str]:
    """The fields that some class of a project declares."""
    return frozenset(contract.fields.single for contract in gathered.contracts if contract.carriers)


def _problems(gathered: Gathered, part: Part, unfollowed: Iterable[dict[str, int]] = ()) -> Iterator[Problem]:
    """What could not be parsed or followed, and the names in the config that nothing here has.

    ``unfollowed`` is what other processes could not follow.
    """
    yield from (problem for problem in gathered.problems if problem.path in part.mine)
    if part.settings.config is not None:
        for contract in gathered.contracts[:1]:
            yield from (Problem(part.settings.config, message) for message in contract.overruled.unknown)
    lines: dict[str, int] = {}
    for places in (_unfollowed(gathered), *unfollowed):
        for path, line in places.items():
            lines[path] = min(line, lines.get(path, line))
    for path, line in lines.items():
        if path in part.mine:
            yield Problem(path, f"line {line}: nested too deeply to be checked")


def _unfollowed(gathered: Gathered) -> dict[str, int]:
    """The first line in each file of what is nested too deeply, as far as somebody has tried."""
    modules = gathered.infer.project.modules
    return {path: min(module.unfollowed) for path, module in modules.items() if module.unfollowed}


def _findings(
    gathered: Gathered, part: Part, faults: Iterable[Decided]
) -> tuple[list[Finding], list[Problem]]:
    """Locate the faults in the source and let the rules speak of them."""
    by_path: dict[str, list[Decided]] = {}
    for fault in faults:
        by_path.setdefault(fault.path, []).append(fault)
    requests: list[Request] = [
        (path, gathered.sources[path].data, group) for path, group in sorted(by_path.items())
    ]
    if not requests:
        return [], []
    if sum(map(len, by_path.values())) <= _FEW:
        finish = part.contents.crew.away(found, requests, part.track("locating", requests))
        part.tell_spoken()  # it will be asked, and another process locates
        return finish()
    parts = shares(requests, MOST, lambda request: len(request[2]))
    results = part.contents.crew.share(found, parts, watched=part.track("locating", parts))()
    return [f for findings, _ in results for f in findings], [p for _, problems in results for p in problems]


def _record(verdict: Decided, span: Span) -> SiteRecord:
    return SiteRecord(
        verdict.kind,
        verdict.path,
        span,
        verdict.symbol,
        verdict.subject,
        verdict.field,
        verdict.outcome,
        verdict.code,
    )
