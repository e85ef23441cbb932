"""The facts of all files joined: modules by the names they are imported under, classes, functions.

Nothing here reads a file: sources come in as text. A name is resolved the way Python would do it,
from the importing file outwards; what leads outside the scouted files is an :class:`External`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import accumulate

from ipc_lint.facts import (
    At,
    AttrAssign,
    Body,
    Call,
    Class,
    Do,
    Expr,
    Field,
    Function,
    Imported,
    ModuleFacts,
    Name,
    Param,
    Raise,
)
from ipc_lint.facts.body import TooDeep, lower_body
from ipc_lint.facts.spread import spread
from ipc_lint.facts.walk import bindings, calls, dotted, last_name
from ipc_lint.index.layout import Layout

MODULE = "<module>"


class Module:
    """One scouted file."""

    def __init__(
        self,
        project: Project,
        path: str,
        facts: ModuleFacts,
        lines: Callable[[], list[str]],
        bodies: dict[str, Body],
    ) -> None:
        self.project = project
        self.bodies = bodies
        self.unfollowed: list[int] = []  # the lines of functions that are nested too deeply
        self.facts = facts
        self.path = path
        self.name = project.layout.module_name(path)
        self.functions = {f.qualname: FunctionInfo(self, f) for f in facts.functions}
        self.classes = {c.qualname: ClassInfo(self, c) for c in facts.classes}
        self._lines = lines

    @cached_property
    def names(self) -> frozenset[str]:
        """What the user may call it: as it is imported, or as it lies in the project."""
        return frozenset([self.name, self.project.layout.name_from_root(self.path)])

    @cached_property
    def lines(self) -> list[str]:
        """The source, line by line, ends kept."""
        return self._lines()

    @cached_property
    def text(self) -> str:
        """The whole source."""
        return "".join(self.lines)

    @cached_property
    def toplevel(self) -> FunctionInfo:
        """What runs on import, as a function without parameters."""
        facts = Function(MODULE, None, None, (), None, (), At(1, 0, len(self.lines) + 1, 0), 1)
        return FunctionInfo(self, facts, self.facts.body)

    def written(self, expr: Expr) -> tuple[str, ...] | None:
        """The names that an expression of this module stands for, where they are written somewhere."""
        from ipc_lint.index.written import written_names

        return written_names(expr, self)

    @cached_property
    def _line_ends(self) -> list[int]:
        return list(accumulate(len(line) for line in self.lines))

    def line_of(self, place: int) -> int:
        """The line of an offset in the text."""
        return bisect_right(self._line_ends, place) + 1

    @cached_property
    def _starts(self) -> list[tuple[int, FunctionInfo]]:
        return sorted(
            ((f.facts.at.line, f) for f in self.functions.values()),
            key=lambda pair: (pair[0], -pair[1].facts.at.end_line),
        )

    def function_at(self, line: int) -> FunctionInfo:
        """The innermost function whose lines hold ``line``, or the module's own statements."""
        starts = self._starts
        place = bisect_right(starts, line, key=lambda pair: pair[0]) - 1
        while place >= 0:
            function = starts[place][1]
            if function.facts.at.end_line >= line:
                return function
            place -= 1
        return self.toplevel

    def functions_at(self, line: int) -> Iterator[FunctionInfo]:
        """The innermost function at a line, and those that evaluate it if it is in a head."""
        function: FunctionInfo | None = self.function_at(line)
        while function is not None:
            yield function
            function = function.enclosing if line <= function.facts.body_line else None


class FunctionInfo:
    """One function; equal only to itself."""

    def __init__(self, module: Module, facts: Function, body: Body | None = None) -> None:
        self.module = module
        self.facts = facts
        self.name = facts.qualname.rpartition(".")[2]
        if body is not None:
            self.__dict__["body"] = body

    def __repr__(self) -> str:
        return f"<function {self.qualname}>"

    @property
    def qualname(self) -> str:
        """The dotted name with the module's."""
        return f"{self.module.name}.{self.facts.qualname}"

    @cached_property
    def text(self) -> str:
        """The source, from the line of the first decorator on."""
        return "".join(self.module.lines[self.facts.at.line - 1 : self.facts.at.end_line])

    @cached_property
    def body(self) -> Body:
        """The statements, lowered on first use."""
        key = f"{self.facts.at.line} {self.facts.qualname}"  # a name may be defined twice
        known = self.module.bodies.get(key)
        if known is None:
            known = self.module.bodies[key] = self._lowered()
        return known

    def _lowered(self) -> Body:
        at = self.facts.at
        try:
            body = lower_body(self.module.lines, at, self.facts.qualname)
            if "**" not in self.text:
                return body
            return spread(body, [param.name for param in self.facts.params], self.module.written, self.text)
        except (TooDeep, RecursionError, MemoryError):
            self.module.unfollowed.append(self.facts.at.line)
            return ()

    @cached_property
    def bindings(self) -> Mapping[str, tuple[Expr, ...]]:
        """Every value bound to a local name."""
        return bindings(self.body, walrus=":=" in self.text)

    def values_of(self, expr: Expr) -> tuple[Expr, ...]:
        """What an expression may be: what is bound to a local name, anything else as it stands."""
        return self.bindings.get(expr.id, ()) if isinstance(expr, Name) else (expr,)

    @cached_property
    def calls(self) -> Mapping[str, tuple[Call, ...]]:
        """Every call in the body, by the last name of what is called ("" where it has none)."""
        found: dict[str, list[Call]] = {}
        for call in calls(self.body):
            found.setdefault(last_name(call.func) or "", []).append(call)
        return {name: tuple(group) for name, group in found.items()}

    @cached_property
    def owner(self) -> ClassInfo | None:
        """The class that this is a method of."""
        return self.module.classes.get(self.facts.owner) if self.facts.owner else None

    @cached_property
    def enclosing(self) -> FunctionInfo | None:
        """The function that this one stands in."""
        return self.module.functions.get(self.facts.scope) if self.facts.scope else None

    @cached_property
    def owner_around(self) -> ClassInfo | None:
        """The class that this is a method of, or stands in a method of."""
        if self.owner is not None or self.enclosing is None:
            return self.owner
        return self.enclosing.owner_around

    @cached_property
    def method_around(self) -> FunctionInfo | None:
        """The method whose ``self`` is seen here: this one, or the one that it stands in."""
        if self.takes_self:
            return self
        return None if self.enclosing is None else self.enclosing.method_around

    @cached_property
    def decorators(self) -> frozenset[str]:
        """The last names of the decorators."""
        return frozenset((dotted(d) or "").rpartition(".")[2] for d in self.facts.decorators)

    @cached_property
    def is_left_open(self) -> bool:
        """Whether a method does nothing by itself: others of its name say what it does."""
        return self.facts.owner is not None and all(isinstance(stmt, (Raise, Do)) for stmt in self.body)

    @cached_property
    def takes_self(self) -> bool:
        """Whether the first parameter is bound by the access (a method that is not static)."""
        params = self.facts.params
        return (
            self.facts.owner is not None
            and "staticmethod" not in self.decorators
            and bool(params)
            and params[0].kind == "positional"
        )

    @cached_property
    def own_params(self) -> tuple[Param, ...]:
        """The parameters but for the one that the access binds."""
        return self.facts.params[1:] if self.takes_self else self.facts.params

    def params_for(self, *, bound: bool) -> tuple[Param, ...]:
        """The parameters that a call fills; ``bound``: the receiver has taken the first."""
        return self.own_params if bound else self.facts.params


class ClassInfo:
    """One class; equal only to itself."""

    def __init__(self, module: Module, facts: Class) -> None:
        self.module = module
        self.facts = facts
        self.name = f"{module.name}.{facts.qualname}"
        self.short = facts.qualname.rpartition(".")[2]
        self.bases: tuple[ClassInfo, ...] = ()  # joined by the linker
        self.outside: tuple[str, ...] = ()  # bases that are not scouted, by dotted name
        self.subclasses: list[ClassInfo] = []

    def __repr__(self) -> str:
        return f"<class {self.name}>"

    @cached_property
    def mro(self) -> tuple[ClassInfo, ...]:
        """The class and its bases, nearest first (depth first, later duplicates win)."""
        order: list[ClassInfo] = []
        stack = [self]
        while stack:
            here = stack.pop()
            if here not in order:
                order.append(here)
                stack.extend(reversed(here.bases))
        # A base comes after all that derive from it, as in Python's own order.
        for cls in list(order):
            for other in order:
                if other is not cls and cls in other.bases and order.index(other) > order.index(cls):
                    order.remove(cls)
                    order.insert(order.index(other) + 1, cls)
        return tuple(order)

    def derives(self, base: ClassInfo) -> bool:
        """Whether this is ``base`` or a subclass of it."""
        return base in self.mro

    def is_akin(self, other: ClassInfo) -> bool:
        """Whether one of two classes is the other or a subclass of it."""
        return self.derives(other) or other.derives(self)

    def own_method(self, name: str) -> FunctionInfo | None:
        """The method of that name that the class defines itself."""
        return self.module.functions.get(f"{self.facts.qualname}.{name}")

    def method(self, name: str) -> FunctionInfo | None:
        """The method of that name, inherited ones included."""
        for cls in self.mro:
            found = cls.own_method(name)
            if found is not None and found.facts.owner == cls.facts.qualname:
                return found
        return None

    def nested(self, name: str) -> ClassInfo | None:
        """The class of that name defined in this one or a base."""
        for cls in self.mro:
            found = cls.module.classes.get(f"{cls.facts.qualname}.{name}")
            if found is not None:
                return found
        return None

    def field(self, name: str) -> tuple[ClassInfo, Field] | None:
        """The declaration of a field in the body of the class or of a base."""
        for cls in self.mro:
            for field in cls.facts.fields:
                if field.name == name:
                    return cls, field
        return None

    @cached_property
    def family(self) -> tuple[ClassInfo, ...]:
        """The class, its bases, and everything that derives from it (who else ``self`` may be)."""
        seen = dict.fromkeys(self.mro)
        for cls in self.descendants:
            seen |= dict.fromkeys(cls.mro)
        return tuple(seen)

    @cached_property
    def descendants(self) -> tuple[ClassInfo, ...]:
        """Everything that derives from the class, each once, whatever circles the source may have."""
        seen: dict[ClassInfo, None] = {}
        stack = list(self.subclasses)
        while stack:
            cls = stack.pop()
            if cls not in seen:
                seen[cls] = None
                stack.extend(cls.subclasses)
        return tuple(seen)


class Project:
    """All scouted files under one root."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.modules: dict[str, Module] = {}
        self._mentions: dict[str, tuple[FunctionInfo, ...]] = {}

    def add(
        self,
        path: str,
        facts: ModuleFacts,
        lines: Callable[[], list[str]],
        bodies: dict[str, Body] | None = None,
    ) -> None:
        """Join one more file; call before anything is asked.

        ``bodies`` remembers lowered bodies from one project to the next with the same file.
        """
        self.modules[path] = Module(self, path, facts, lines, {} if bodies is None else bodies)

    @cached_property
    def functions(self) -> tuple[FunctionInfo, ...]:
        """Every function, in order of file and place."""
        return tuple(f for module in self.modules.values() for f in module.functions.values())

    @cached_property
    def classes(self) -> tuple[ClassInfo, ...]:
        """Every class, in order of file and place."""
        return tuple(c for module in self.modules.values() for c in module.classes.values())

    @cached_property
    def methods(self) -> Mapping[str, tuple[FunctionInfo, ...]]:
        """Methods by their bare name."""
        found: dict[str, list[FunctionInfo]] = {}
        for function in self.functions:
            if function.facts.owner is not None:
                found.setdefault(function.name, []).append(function)
        return {name: tuple(group) for name, group in found.items()}

    @cached_property
    def attributes(self) -> Mapping[str, tuple[tuple[FunctionInfo, AttrAssign], ...]]:
        """Assignments to attributes, by the attribute's name, with the function they stand in."""
        found: dict[str, list[tuple[FunctionInfo, AttrAssign]]] = {}
        for module in self.modules.values():
            for assign in module.facts.attributes:
                found.setdefault(assign.name, []).append((module.functions[assign.scope], assign))
        return {name: tuple(group) for name, group in found.items()}

    @cached_property
    def declarations(self) -> Mapping[str, tuple[tuple[ClassInfo, Field], ...]]:
        """Annotated fields of class bodies, by name."""
        found: dict[str, list[tuple[ClassInfo, Field]]] = {}
        for cls in self.classes:
            for field in cls.facts.fields:
                if field.annotation is not None:
                    found.setdefault(field.name, []).append((cls, field))
        return {name: tuple(group) for name, group in found.items()}

    def module_of(self, importer: Module, what: Imported) -> str | Module | None:
        """The module that an import names.

        A scouted one, the path of one that is not scouted, or None where it leads outside.
        """
        path = self.layout.resolve(importer.path, what.module, what.level)
        return None if path is None else self.modules.get(path, path)

    def submodule(self, importer: Module, what: Imported) -> str | Module | None:
        """The module that ``from package import name`` may mean."""
        dotted = f"{what.module}.{what.name}" if what.module else what.name or ""
        path = self.layout.resolve(importer.path, dotted, what.level)
        return None if path is None else self.modules.get(path, path)

    def mentions(self, word: str) -> tuple[FunctionInfo, ...]:
        """The innermost functions whose lines hold a word, in order of file and place.

        What stands in the head of a nested function is also said by the function around it.
        """
        known = self._mentions.get(word)
        if known is None:
            known = self._mentions[word] = tuple(self._search(word))
        return known

    def _search(self, word: str) -> Iterator[FunctionInfo]:
        for module in self.modules.values():
            text = module.text
            seen: set[FunctionInfo] = set()
            place = text.find(word)
            while place >= 0:
                end = place + len(word)
                if not (_continues(text[max(place - 1, 0) : place]) or _continues(text[end : end + 1])):
                    for function in module.functions_at(module.line_of(place)):
                        if function not in seen:
                            seen.add(function)
                            yield function
                place = text.find(word, end)

    def same_package(self, one: Module, other: Module) -> bool:
        """Whether two files belong to one copy of the code (no vendored or built duplicate).

        What stands in for a package that is not there belongs to every copy that imports it.
        """
        if self.layout.is_stub(one.path) or self.layout.is_stub(other.path):
            return True
        return self.layout.root_of(one.path) == self.layout.root_of(other.path)


def _continues(character: str) -> bool:
    """Whether an identifier goes on with a character."""
    return f"a{character}".isidentifier() and character != ""
