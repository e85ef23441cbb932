"""Checks the files of one project: search, scout, join, judge, locate, and let the rules speak."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ipc_lint.contract.nouns import FieldPair
from ipc_lint.contract.overruled import names_of
from ipc_lint.contract.said import inferred
from ipc_lint.crew import shares
from ipc_lint.files.source import Unreadable
from ipc_lint.gather import Gathered, Gatherer
from ipc_lint.judge import judge
from ipc_lint.judge.verdicts import Verdict
from ipc_lint.model import Finding, Problem, SiteRecord, Span, Unproven
from ipc_lint.part import Part
from ipc_lint.presets import fields_of, load
from ipc_lint.remember import Checked
from ipc_lint.scouting import Memory
from ipc_lint.settings import Settings
from ipc_lint.track import Track, untracked

if TYPE_CHECKING:
    from ipc_lint.sites.visitors import Site


# What is judged faster than this process is copied, in bytes of source.
_WORTH_SHARING = 400_000


def checked(part: Part) -> Checked:
    """What a check of one project finds."""
    memory = Memory(part.cache, part.stamp)
    gathered = _gathered(part, memory)
    sources = [source for path, source in gathered.sources.items() if path in part.mine]
    number = min(part.contents.crew.size, max(1, sum(len(s.data) for s in sources) // _WORTH_SHARING))
    groups = [{s.path for s in share} for share in shares(sources, number, lambda s: len(s.data))]
    results = part.contents.crew.fork(partial(_found, gathered, part), groups)
    findings = [finding for found, _ in results for finding in found]
    problems = dict.fromkeys([*_problems(gathered, part), *(p for _, failed in results for p in failed)])
    memory.store(gathered.facts())
    return Checked(tuple(findings), tuple(problems), _declared(gathered))


def _found(gathered: Gathered, part: Part, asked: set[str]) -> tuple[list[Finding], list[Problem]]:
    """What there is to say of some of the files."""
    verdicts = [v for v in _verdicts(gathered, part, asked) if v.code is not None]
    findings, failed = _findings(gathered, verdicts, part.track)
    return findings, [*failed, *_unfollowed(gathered, part.mine)]


def checked_and_listed(part: Part, sites: list[SiteRecord]) -> Checked:
    """The same; every site of the field is added to ``sites``.

    With them goes what was inferred, and how many files were not even parsed.
    """
    gathered = _gathered(part)
    verdicts = _verdicts(gathered, part, part.mine, everything=True)
    found, failed = _findings(gathered, [v for v in verdicts if v.code is not None], part.track)
    sites += [_record(verdict, _span(verdict, gathered)) for verdict in verdicts]
    passed_over = part.mine - gathered.sources.keys() - part.contents.unread.keys()
    return Checked(
        tuple(found),
        (*_problems(gathered, part), *failed),
        _declared(gathered),
        inferred=tuple(it for contract in gathered.contracts for it in inferred(contract)),
        unparsed=len(passed_over),
    )


def listed(part: Part, sites: list[SiteRecord]) -> Checked:
    """What keeps sites of a project from being listed; they are located and added to ``sites``."""
    gathered = _gathered(part)
    by_function: dict[object, list[Verdict]] = {}
    for verdict in _verdicts(gathered, part, part.mine, everything=True):
        by_function.setdefault(verdict.function, []).append(verdict)
    failed: dict[str, Problem] = {}  # one line a file, and the other functions in it are listed
    for group in by_function.values():
        for found in _located(gathered, group):
            if isinstance(found, Problem):
                failed.setdefault(found.path, found)
            else:
                sites.append(_record(found.verdict, found.span))
    return Checked((), (*_problems(gathered, part), *failed.values()), _declared(gathered))


def _gathered(part: Part, memory: Memory | None = None) -> Gathered:
    """Search, scout and join the files."""
    pairs = [FieldPair(name, f"{name}s") for name in fields_of(part.settings)]
    settings = part.settings
    return Gatherer(
        part.root, part.words, pairs, _stubs(settings), settings.overrules, memory, part.track
    ).gather()


def _stubs(settings: Settings) -> dict[str, str]:
    """The preset's modules as source, if the preset speaks of a field that is followed."""
    if settings.preset is None:
        return {}
    preset = load(settings.preset)
    return preset.stubs() if set(fields_of(settings)) & set(preset.fields) else {}


def _verdicts(gathered: Gathered, part: Part, asked: set[str], *, everything: bool = False) -> list[Verdict]:
    """The verdicts in some of the files; what the config leaves alone is no fault."""
    return [
        replace(v, code=None, outcome=Unproven("the config leaves this function alone"))
        if any(fnmatchcase(n, p) for p in part.settings.ignore_functions for n in names_of(v.function))
        else v
        for contract in gathered.contracts
        for v in judge(contract, asked, everything=everything)
    ]


def _declared(gathered: Gathered) -> frozenset[str]:
    """The fields that some class of a project declares."""
    return frozenset(contract.fields.single for contract in gathered.contracts if contract.carriers)


def _problems(gathered: Gathered, part: Part) -> list[Problem]:
    """What could not be parsed or followed, and the names in the config that nothing here has."""
    unknown = [m for contract in gathered.contracts[:1] for m in contract.overruled.unknown]
    config = part.settings.config
    return [
        *[problem for problem in gathered.problems if problem.path in part.mine],
        *([] if config is None else [Problem(config, message) for message in unknown]),
        *_unfollowed(gathered, part.mine),
    ]


def _unfollowed(gathered: Gathered, mine: set[str]) -> list[Problem]:
    # Known only when somebody has tried.
    return [
        Problem(path, f"line {min(module.unfollowed)}: nested too deeply to be checked")
        for path, module in gathered.infer.project.modules.items()
        if module.unfollowed and path in mine
    ]


def _findings(
    gathered: Gathered, verdicts: list[Verdict], track: Track
) -> tuple[list[Finding], list[Problem]]:
    """Locate the faults in the source and let the rules speak of them."""
    if not verdicts:
        return [], []
    # libcst takes a fifth of a second to load: only where there is something to show.
    from ipc_lint.rules import RULES

    rules = [rule() for rule in RULES]
    findings: list[Finding] = []
    problems: list[Problem] = []
    for found in _located(gathered, verdicts, track):
        if isinstance(found, Problem):
            problems.append(found)
        else:
            findings += [finding for rule in rules for finding in rule.check(found)]
    return findings, problems


def _located(
    gathered: Gathered, verdicts: Iterable[Verdict], track: Track = untracked
) -> Iterator[Site | Problem]:
    """The sites of the verdicts, file after file; a problem in place of those of a file that has one."""
    from ipc_lint.sites.visitors import locate

    by_path: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        by_path.setdefault(verdict.function.module.path, []).append(verdict)
    for path, group in track("locating", sorted(by_path.items())):
        try:
            yield from locate(gathered.sources[path], group)
        except Unreadable as error:
            yield Problem(path, error.message)


def _record(verdict: Verdict, span: Span) -> SiteRecord:
    return SiteRecord(
        verdict.kind,
        verdict.function.module.path,
        span,
        verdict.function.facts.qualname,
        verdict.subject,
        verdict.field,
        verdict.outcome,
        verdict.code,
    )


def _span(verdict: Verdict, gathered: Gathered) -> Span:
    return gathered.sources[verdict.function.module.path].span(*verdict.at)
