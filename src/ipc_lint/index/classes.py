"""One class of the project, joined to its bases and to what derives from it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ipc_lint.facts import Class, Field

if TYPE_CHECKING:
    from ipc_lint.index.functions import FunctionInfo
    from ipc_lint.index.project import Module


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
        return f"<class {self.name} in {self.module.path}>"

    @cached_property
    def mro(self) -> tuple[ClassInfo, ...]:
        """The class and its bases, nearest first."""
        # A base comes after all that derive from it, as in Python's own order: the reverse of the order
        # in which a search that goes deep, from the last base to the first, leaves them.
        left: dict[ClassInfo, None] = {}
        entered = {self}
        stack = [(self, iter(self.bases[::-1]))]
        while stack:
            here, bases = stack[-1]
            base = next((base for base in bases if base not in entered), None)
            if base is None:
                left[here] = None
                stack.pop()
            else:
                entered.add(base)
                stack.append((base, iter(base.bases[::-1])))
        return tuple(left)[::-1]

    @cached_property
    def known_outside(self) -> frozenset[str]:
        """The last names of the bases that are not scouted, of this class and of its own bases."""
        return frozenset(name.rpartition(".")[2] for here in self.mro for name in here.outside)

    def derives(self, base: ClassInfo) -> bool:
        """Whether this is ``base`` or a subclass of it."""
        return base in self._ancestry

    @cached_property
    def _ancestry(self) -> frozenset[ClassInfo]:
        return frozenset(self.mro)

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
