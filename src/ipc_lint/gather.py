"""Which files matter: a search over bytes in rounds, and the scout over what it leaves.

The first round asks for the field's name. What those files define (the modules of carriers, the
methods that stamp and send) is asked for next, until nothing is added. A file that holds none of
the names is never parsed.

To join the files and to infer takes a while, so the second round goes by what the first facts let one
expect. What was expected in vain is put away again before anything else is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct, field

from ipc_lint.beginning import Beginning
from ipc_lint.contract.foreseen import foreseen, handing_on
from ipc_lint.contract.infer import Contract
from ipc_lint.contract.nouns import FieldPair
from ipc_lint.facts.words import Text
from ipc_lint.files.source import Source
from ipc_lint.files.words import Words
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.infer import Inference
from ipc_lint.index.layout import Layout, folders_of, imported_modules
from ipc_lint.index.project import Module, Project
from ipc_lint.model import Problem
from ipc_lint.scouting import Cut, Failed, Known, Memory, lowering, scouted
from ipc_lint.search import Search, last_part
from ipc_lint.settings import Overrules
from ipc_lint.track import Track


class Gathered(Struct):
    """The scouted project, the sources behind it, and what could not be read."""

    infer: Inference
    contracts: list[Contract]
    sources: dict[str, Source]
    known: dict[str, Known]
    problems: list[Problem] = field(default_factory=list)

    def facts(self) -> Iterator[tuple[Source, Known]]:
        """What is known of each file that could be scouted."""
        return ((self.sources[path], known) for path, known in self.known.items())


class Gatherer:
    """Reads and scouts the files of one project."""

    def __init__(
        self,
        root: str,
        words: Words,
        fields: Sequence[FieldPair],
        beginning: Beginning,
        overrules: Overrules,
        memory: Memory,
        track: Track,
    ) -> None:
        """``words`` and the contents behind them are those of the files.

        ``beginning`` is what is looked for first. ``overrules`` are what the user says of the contract.
        ``memory`` has the facts of earlier runs.
        """
        self._root = root
        self._words = words
        self._contents = words.contents
        self._fields = fields
        self._beginning = beginning
        self._overrules = overrules
        self._memory = memory
        self._track = track
        self._stubs: dict[str, str] = {}
        self._words_in_bodies = [name for pair in fields for name in pair.names]
        self._sources: dict[str, Source] = {}
        self._texts: dict[str, Text] = {}
        self._known: dict[str, Known] = {}
        self._problems: dict[str, Problem] = {}

    def gather(self) -> Gathered:
        """Search and scout until a round adds no file."""
        self._contents.crew.load("ipc_lint.scouting")
        words, stubs = self._beginning
        self._words.look_for([*words, *stubs])
        new = [*self._stand_in(), *self._words.holding(words)]
        search = Search(self._words)
        self._scout(new)
        expected, stampers = self._foresee(search)
        project = self._project()
        # While this process infers, helpers look for those who call what hands on to these.
        self._words.begin(handing_on(project, stampers))
        while True:
            infer = Inference(project)
            contracts = [Contract(infer, pair, self._overrules) for pair in self._fields]
            in_vain = self._in_vain(expected, contracts, search)
            if in_vain:
                self._forget(in_vain)
                expected -= in_vain
            else:
                expected = set()
                wanted = self._wanted(contracts, search)
                new = sorted(wanted - self._sources.keys() - self._problems.keys())
                if not new:
                    problems = sorted(self._problems.values(), key=lambda problem: problem.path)
                    return Gathered(infer, contracts, self._sources, self._known, problems)
                self._scout(new)
            project = self._project()

    @cached_property
    def _folders(self) -> frozenset[str]:
        return folders_of(self._contents.files, self._root)

    def _stand_in(self) -> list[str]:
        """Take the stubs, if some file imports a module of theirs; their paths."""
        if self._words.holding(self._beginning.stubs):
            self._stubs = self._beginning.stubs
        for module, text in self._stubs.items():
            self._contents.add(f"<{module}>", text.encode())
        return [f"<{module}>" for module in self._stubs]

    def _scout(self, paths: Iterable[str]) -> None:
        sources = []
        for path in paths:
            try:
                sources.append(Source(path, self._contents.read(path)))
            except OSError as error:
                self._problems[path] = Problem(path, error.strerror or str(error))
        words = self._words_in_bodies
        for source, found in scouted(sources, words, self._memory, self._contents.crew, self._track):
            self._sources[source.path] = source
            if isinstance(found, Failed):
                self._problems[source.path] = Problem(source.path, found.message)
            else:
                self._known[source.path] = found

    def _foresee(self, search: Search) -> tuple[set[str], dict[str, int]]:
        """Scout the files that will be asked for, as far as the facts tell which.

        Their paths, and the stampers whose users are among them.
        """
        project = self._project()
        expected = [foreseen(project, pair) for pair in self._fields]
        stampers = {name: place for one in expected for name, place in one.stampers.items()}
        names = stampers.keys() | {name for one in expected for name in one.owners}
        modules = _together(one.modules for one in expected)
        self._words.look_for(_words_of(names, modules))
        words = sorted(names.union(*[one.identities for one in expected]))
        # Their bodies will be asked for; helpers lower most, while the users are told from what was found.
        functions = dict.fromkeys(function for word in words for function in project.mentions(word))
        lower = self._lowering(functions)
        new = self._users(names, modules, search) - self._sources.keys() - self._problems.keys()
        lower()
        self._words_in_bodies += words
        self._scout(sorted(new))
        return new, stampers

    def _lowering(self, functions: Iterable[FunctionInfo]) -> Callable[[], None]:
        new = [f for f in functions if f is not f.module.toplevel and f.facts.key not in f.module.bodies]
        finish = lowering([Cut(f.text, f.facts.at, f.facts.qualname) for f in new], self._contents.crew)

        def lower() -> None:
            for function, body in zip(new, finish(), strict=True):
                if body is not None:
                    function.module.bodies[function.facts.key] = body

        return lower

    def _in_vain(self, expected: set[str], contracts: Sequence[Contract], search: Search) -> set[str]:
        """Those of the expected files that nothing asks for but, at most, one of them."""
        left = set(expected)
        while left:
            found = left & self._wanted(contracts, search, self._sources.keys() - left)
            if not found:
                break
            left -= found
        return left

    def _forget(self, paths: Iterable[str]) -> None:
        for path in paths:
            for found in (self._sources, self._texts, self._known, self._problems):
                found.pop(path, None)

    def _project(self) -> Project:
        imports = {path: imported_modules(known.facts) for path, known in self._known.items()}
        project = Project(Layout(self._root, self._contents.files, imports, self._stubs, self._folders))
        for path, known in sorted(self._known.items(), key=lambda item: item[0]):
            text = self._texts.setdefault(path, Text(self._sources[path]))
            project.add(path, known.facts, text, known.bodies)
        return project

    def _wanted(
        self, contracts: Sequence[Contract], search: Search, by: Collection[str] | None = None
    ) -> set[str]:
        """The files that may build, send or stamp without naming the field.

        ``by`` are the paths of the files that ask for them, by what they define; None for all.
        """
        names = {name for contract in contracts for name in _function_names(contract, by)}
        modules = _together(_carrier_modules(contract) for contract in contracts)
        if by is not None:
            modules = {module: classes for module, classes in modules.items() if module.path in by}
        self._words.look_for(_words_of(names, modules))
        return self._users(names, modules, search)

    def _users(self, names: set[str], modules: Mapping[Module, set[str]], search: Search) -> set[str]:
        """The files that use something of these names, or take one of some classes from its module."""
        users = {path for name in sorted(names) for path in search.named(name)}
        return users.union(*(search.users(module, classes) for module, classes in modules.items()))


def _together(several: Iterable[Mapping[Module, set[str]]]) -> dict[Module, set[str]]:
    """The classes by module that any of several has."""
    whole: dict[Module, set[str]] = {}
    for one in several:
        for module, classes in one.items():
            whole.setdefault(module, set()).update(classes)
    return whole


def _words_of(names: Iterable[str], modules: Iterable[Module]) -> list[str]:
    """What a file holds that uses something of these names, or imports from one of these modules."""
    return [*names, *map(last_part, modules)]


def _function_names(contract: Contract, by: Collection[str] | None) -> set[str]:
    """The names of the senders and the copying stampers, and of the classes that they are methods of.

    ``by``: only of those that stand in these files.
    """
    direct = [f for f, stamper in contract.stampers.items() if stamper.origin is not None]
    direct = [f for f in direct if f not in contract.senders or contract.senders[f].through is None]
    mine = [f for f in direct if by is None or f.module.path in by]
    senders = [f for f in contract.senders if by is None or f.module.path in by]
    return {f.name for f in (*mine, *senders)} | {f.owner.short for f in mine if f.owner is not None}


def _carrier_modules(contract: Contract) -> dict[Module, set[str]]:
    """The modules that carriers are taken from: where they are defined, and where that is handed on."""
    modules: dict[Module, set[str]] = {}
    for cls in contract.carriers:
        modules.setdefault(cls.module, set()).add(cls.short)
    for module in contract.project.modules.values():
        if module.facts.stars or module.is_package:
            handed_on = contract.names_in(module)
            if handed_on:
                modules.setdefault(module, set()).update(handed_on)
    return modules
