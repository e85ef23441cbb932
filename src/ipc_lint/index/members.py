"""What an attribute of something may be: methods, declared fields, assignments to ``self``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ipc_lint.facts import Expr, Imported, Name
from ipc_lint.index.builtin import STANDARD
from ipc_lint.index.classes import ClassInfo
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.project import Module
from ipc_lint.index.scope import Scope
from ipc_lint.index.types import (
    UNKNOWN,
    Atom,
    ClassObject,
    External,
    ExternalInstance,
    Instance,
    Method,
    ModuleObject,
    Type,
    one,
    union,
)

if TYPE_CHECKING:
    from ipc_lint.index.infer import Inference


class Members:
    """Answers for one inference."""

    def __init__(self, infer: Inference) -> None:
        self._infer = infer

    def attribute(self, base: Type, name: str, scope: Scope) -> Type:
        """What ``base.name`` may be; where nothing is known of ``base``, by the name alone."""
        found = union(self.member(atom, name, scope) for atom in base)
        if found or any(isinstance(a, (Instance, ClassObject, ModuleObject)) for a in base):
            return found
        if any(isinstance(atom, External) for atom in base):
            return found
        return self.named(name, scope.module)

    def named(self, name: str, module: Module) -> Type:
        """What an attribute of that name is elsewhere in the same copy of the code."""
        return self._infer.ask(("attribute", name, id(module)), self._named(name, module))

    def _named(self, name: str, module: Module) -> Iterator[Type]:
        for function, assign in self._infer.project.attributes.get(name, ()):
            if self._infer.project.same_package(function.module, module):
                yield self._assigned(function, assign.annotation, assign.value)
        for cls, field in self._infer.project.declarations.get(name, ()):
            if self._infer.project.same_package(cls.module, module) and field.annotation is not None:
                yield self._infer.said(field.annotation, self._infer.scope_of_class(cls))

    def _assigned(self, function: FunctionInfo, annotation: Expr | None, value: Expr | None) -> Type:
        scope = Scope(function)
        found = UNKNOWN if annotation is None else self._infer.said(annotation, scope)
        return found or (UNKNOWN if value is None else self._infer.type_of(value, scope))

    def member(self, atom: Atom, name: str, scope: Scope) -> Type:
        """What an attribute of one thing may be."""
        match atom:
            case Instance(cls) if name == "__class__":
                return one(ClassObject(cls))
            case Instance(cls):
                return self._infer.ask(("member", id(cls), name), self._instance_member(cls, name, atom))
            case ClassObject(cls):
                return union(self._class_member(cls, name))
            case ModuleObject(module):
                return (
                    self._infer.imported(Imported(module.name, name, 0), module)
                    if (name not in module.toplevel.bindings)
                    else self._infer.global_name(name, module)
                )
            case External(dotted):
                # `import a.b` binds `a`: the rest of the dotted name may lead into the project.
                below = self._infer.project.layout.resolve(scope.module.path, f"{dotted}.{name}", 0)
                target = self._infer.project.modules.get(below or "")
                return one(ModuleObject(target) if target is not None else External(f"{dotted}.{name}"))
            case ExternalInstance(dotted) if dotted.partition(".")[0] in STANDARD:
                return one(External(f"{dotted}.{name}"))
        return UNKNOWN

    def _instance_member(self, cls: ClassInfo, name: str, self_: Instance) -> Iterator[Type]:
        method = cls.method(name)
        if method is not None:
            yield self._accessed(method, self_)
            return
        found = self._declared(cls.mro, name)
        # A mixin uses what only the class it is mixed into assigns.
        yield found or self._declared(cls.family, name) or union(self._family_method(cls, name, self_))
        nested = cls.nested(name)
        if nested is not None:
            yield one(ClassObject(nested))

    def _family_method(self, cls: ClassInfo, name: str, self_: Instance) -> Iterator[Type]:
        for other in cls.family:
            method = other.method(name)
            if method is not None:
                yield self._accessed(method, self_)

    def _accessed(self, method: FunctionInfo, self_: Instance) -> Type:
        if method.decorators & {"property", "cached_property"}:
            return self._infer.returns(method)
        if "staticmethod" in method.decorators:
            return one(Method(method))
        if "classmethod" in method.decorators:
            return one(Method(method, ClassObject(self_.cls)))
        return one(Method(method, self_))

    def _declared(self, classes: tuple[ClassInfo, ...], name: str) -> Type:
        """What annotations and assignments in some classes say of an attribute."""
        found: list[Type] = []
        for cls in classes:
            for field in cls.facts.fields:
                if field.name == name:
                    scope = self._infer.scope_of_class(cls)
                    if field.annotation is not None:
                        found.append(self._infer.said(field.annotation, scope))
                    elif field.default is not None:
                        found.append(self._infer.type_of(field.default, scope))
        for function, assign in self._infer.project.attributes.get(name, ()):
            if function.owner_around in classes and _is_self(assign.receiver, function):
                found.append(self._assigned(function, assign.annotation, assign.value))
        return union(found)

    def _class_member(self, cls: ClassInfo, name: str) -> Iterator[Type]:
        method = cls.method(name)
        if method is not None:
            bound = ClassObject(cls) if "classmethod" in method.decorators else None
            yield one(Method(method, bound))
            return
        nested = cls.nested(name)
        if nested is not None:
            yield one(ClassObject(nested))
        declared = cls.field(name)
        if declared is not None and declared[1].default is not None:
            yield self._infer.type_of(declared[1].default, self._infer.scope_of_class(declared[0]))


def _is_self(receiver: Expr, function: FunctionInfo) -> bool:
    method = function.method_around
    return method is not None and receiver == Name(method.facts.params[0].name)
