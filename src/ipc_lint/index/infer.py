"""Types by inference: from annotations, constructors, assignments, returns and callers.

Everything is lazy and remembered; a question that leads back to itself gives "unknown". An answer
is the union over all assignments to a name, so it may be too wide, never invented.
"""

from __future__ import annotations

from collections.abc import Iterator

from ipc_lint.facts import (
    OPAQUE,
    Attr,
    Bind,
    Bool,
    Call,
    Choice,
    Comp,
    Const,
    Expr,
    Imported,
    Item,
    Local,
    Map,
    Name,
    Param,
    Return,
    Seq,
    Star,
    Yield,
)
from ipc_lint.facts.walk import statements, unpacked
from ipc_lint.index import builtin, declared, tables
from ipc_lint.index.answers import Answers
from ipc_lint.index.callers import Callers
from ipc_lint.index.classes import ClassInfo
from ipc_lint.index.functions import FunctionInfo
from ipc_lint.index.members import Members
from ipc_lint.index.project import Module, Project
from ipc_lint.index.scope import Scope
from ipc_lint.index.types import (
    NONE,
    UNKNOWN,
    Atom,
    ClassObject,
    Collection,
    Dispatcher,
    External,
    ExternalInstance,
    Fixed,
    Instance,
    Method,
    ModuleObject,
    Partial,
    Signature,
    Table,
    Type,
    in_order,
    items,
    one,
    union,
)


class Inference(Answers):
    """Answers what an expression may be."""

    def __init__(self, project: Project) -> None:
        super().__init__()
        self.project = project
        self.callers = Callers(self)
        self.members = Members(self)
        self._link()

    def _link(self) -> None:
        """Join classes to their bases."""
        for cls in self.project.classes:
            bases, outside = [], []
            for base in cls.facts.bases:
                expr = base.value if isinstance(base, Item) else base  # Generic[T], Base[T]
                found = in_order(self.type_of(expr, self.scope_of_class(cls)))
                inside = [atom.cls for atom in found if isinstance(atom, ClassObject)]
                # A class of the same file hides what was imported under its name.
                bases += sorted(inside, key=lambda other: other.module is not cls.module)
                outside += [atom.name for atom in found if isinstance(atom, External)]
            cls.bases, cls.outside = tuple(bases), tuple(outside)
        # What was remembered so far was found without knowing any base.
        self.forget()
        for cls in self.project.classes:
            for parent in cls.bases:
                parent.subclasses.append(cls)

    def scope_of_class(self, cls: ClassInfo) -> Scope:
        """The scope in which the statements of a class body run, but for its own names."""
        function = cls.module.functions.get(cls.facts.scope or "", cls.module.toplevel)
        known = {}
        if cls.facts.owner:
            outer = cls.module.classes[cls.facts.owner]
            for member in outer.facts.members:
                inner = cls.module.classes.get(member)
                if inner is not None:
                    known[inner.short] = one(ClassObject(inner))
        return Scope(function, known)

    # ------------------------------------------------------------- expressions

    def type_of(self, expr: Expr, scope: Scope) -> Type:
        """What an expression may be where it stands."""
        if isinstance(expr, Name):
            return self.name(expr.id, scope)
        if scope.known or isinstance(expr, (Const, Local)):
            return union(self._types(expr, scope))
        return self.once(expr, (id(expr), id(scope.function)), self._types(expr, scope))

    def said(self, annotation: Expr, scope: Scope) -> Type:
        """What a value so annotated may be."""
        if scope.known:
            return union(declared.instances(self, annotation, scope))
        key = "said", id(annotation), id(scope.function), id(scope.signature)
        return self.once(annotation, key, declared.instances(self, annotation, scope))

    def _types(self, expr: Expr, scope: Scope) -> Iterator[Type]:
        match expr:
            case Attr(value, name):
                yield self.attribute(self.type_of(value, scope), name, scope)
            case Call():
                yield self.call(expr, scope)
            case Const(value):
                yield NONE if value is None else one(ExternalInstance(f"builtins.{type(value).__name__}"))
            case Bind(_, value) | Star(value):
                yield self.type_of(value, scope)
            case Choice(_, body, orelse):
                yield self.type_of(body, scope)
                yield self.type_of(orelse, scope)
            case Bool(op, values):
                for value in values if op == "or" else values[-1:]:
                    yield self.type_of(value, scope)
            case Item(value, key):
                yield self._item(self.type_of(value, scope), key, scope)
            case Seq(kind, values):
                if kind == "tuple" and not any(isinstance(v, Star) for v in values):
                    yield one(Fixed(tuple(self.type_of(v, scope) for v in values)))
                else:
                    yield one(Collection(union(self._elements(values, scope))))
            case Map(keys, values):
                key_types = union(self.type_of(k, scope) for k in keys if k is not None)
                yield one(Table(key_types, union(self.type_of(v, scope) for v in values)))
            case Comp(kind, values, loops):
                inner = scope
                for loop in loops:
                    inner = inner.knowing(self.loop_names(loop.target, loop.iter, inner))
                found = [self.type_of(v, inner) for v in values]
                yield one(Table(found[0], found[1]) if kind == "dict" else Collection(found[0]))
            case Imported():
                yield self.imported(expr, scope.module)
            case Local(qualname):
                yield self._local(qualname, scope.module)

    def _elements(self, values: tuple[Expr, ...], scope: Scope) -> Iterator[Type]:
        for value in values:
            type_ = self.type_of(value, scope)
            yield items(type_) if isinstance(value, Star) else type_

    def loop_names(self, target: Expr, iterated: Expr, scope: Scope) -> dict[str, Type]:
        """The variables that ``for target in iterated`` binds, each with what it may be."""
        return {name: self.type_of(value, scope) for name, value in unpacked(target, Item(iterated, OPAQUE))}

    def _item(self, base: Type, key: Expr, scope: Scope) -> Type:
        found: list[Type] = []
        for atom in base:
            match atom:
                case Fixed(places) if isinstance(key, Const) and isinstance(key.value, int):
                    found.append(places[key.value] if -len(places) <= key.value < len(places) else UNKNOWN)
                case Table(_, value) if key != OPAQUE:
                    found.append(value)
                case Collection() | Fixed() | Table():
                    found.append(items(one(atom)))
                case Instance(cls):
                    for name in ("__iter__", "__getitem__") if key == OPAQUE else ("__getitem__",):
                        method = cls.method(name)
                        if method is not None:
                            result = self.returns(method)
                            found.append(items(result) if name == "__iter__" else result)
                            break
        return union(found)

    def _local(self, qualname: str, module: Module) -> Type:
        cls = module.classes.get(qualname)
        if cls is not None:
            return one(ClassObject(cls))
        function = module.functions.get(qualname)
        return UNKNOWN if function is None else one(Method(function))

    # ------------------------------------------------------------------- names

    def name(self, name: str, scope: Scope) -> Type:
        """What a variable may be: known here, local, of a function around, global, built in."""
        if name in scope.known:
            return scope.known[name]
        function: FunctionInfo | None = scope.function
        while function is not None:
            for param in function.facts.params:
                if param.name == name:
                    local = self.bound(function, name)
                    return self.param(function, param) | local
            if function.bound_to(name):
                return self.bound(function, name)
            function = function.enclosing
        if scope.function is not scope.module.toplevel:
            return self.global_name(name, scope.module)
        return self._outer_name(name, scope.module)

    def bound(self, function: FunctionInfo, name: str) -> Type:
        """What a function (or a module's own statements) binds to a name."""
        values = function.bound_to(name)
        if not values:
            return UNKNOWN
        scope = Scope(function)
        return self.ask((id(function), name), (self.type_of(value, scope) for value in values))

    def global_name(self, name: str, module: Module) -> Type:
        """What a module's global may be."""
        return self.bound(module.toplevel, name) or self._outer_name(name, module)

    def _outer_name(self, name: str, module: Module) -> Type:
        if name in module.toplevel.bindings:
            return UNKNOWN
        for star in module.facts.stars:
            target = self.project.module_of(module, star)
            if isinstance(target, Module) and target is not module:
                found = self.global_name(name, target)
                if found and found != one(External(f"builtins.{name}")):
                    return found
        return one(External(f"builtins.{name}"))

    def imported(self, what: Imported, importer: Module) -> Type:
        """What an import binds."""
        module = self.project.module_of(importer, what)
        if what.name is None:
            return self._module(module, what.module)
        if isinstance(module, Module):
            found = self.bound(module.toplevel, what.name)
            if found:
                return found
            for star in module.facts.stars:
                target = self.project.module_of(module, star)
                if isinstance(target, Module) and target is not module:
                    found = self.bound(target.toplevel, what.name)
                    if found:
                        return found
        below = self.project.submodule(importer, what)
        if isinstance(below, Module):
            return one(ModuleObject(below))
        prefix = what.module or self.project.layout.module_name(importer.path).rpartition(".")[0]
        return one(External(f"{prefix}.{what.name}" if prefix else what.name))

    def _module(self, module: str | Module | None, dotted: str) -> Type:
        return one(ModuleObject(module) if isinstance(module, Module) else External(dotted))

    def attribute(self, base: Type, name: str, scope: Scope) -> Type:
        """What ``base.name`` may be; where nothing is known of ``base``, by the name alone."""
        return self.members.attribute(base, name, scope)

    # ------------------------------------------------------- calls and returns

    def call(self, call: Call, scope: Scope) -> Type:
        """What a call may give."""
        special = builtin.result(self, call, scope)
        if special is not None:
            return special
        callee = self.callee(call, scope)
        made = tables.dispatcher(self, call, callee, scope)
        return made.union(*(self.result(atom, call, scope) for atom in callee))

    def callee(self, call: Call, scope: Scope) -> Type:
        """What is called."""
        return self.type_of(call.func, scope)

    def result(self, atom: Atom, call: Call | None, scope: Scope) -> Type:
        """What calling one thing may give."""
        match atom:
            case ClassObject(cls):
                return one(Instance(cls))
            case Method(function):
                return self.returns(function)
            case Signature(_, result):
                return result
            case Dispatcher(_, handlers):
                return union(self.result(handler, None, scope) for handler in handlers)
            case Partial(target):
                return union(self.result(inner, None, scope) for inner in target)
            case External(name):
                return builtin.external_result(name)
            case Instance(cls):
                method = cls.method("__call__")
                return UNKNOWN if method is None else self.returns(method)
        return UNKNOWN

    def returns(self, function: FunctionInfo) -> Type:
        """What a function may return: as annotated, else as its return statements say."""
        annotation = function.facts.returns
        if annotation is not None:
            found = self.said(annotation, Scope.of_signature(function))
            if found:
                return found
        if function.name == "__init__":
            return NONE
        return self.ask(("return", id(function)), self._returned(function))

    def _returned(self, function: FunctionInfo) -> Iterator[Type]:
        scope = Scope(function)
        maybe = function.everything if b"yield" in function.data else ()
        yielded = [part.value for part in maybe if isinstance(part, Yield)]
        if yielded:
            yield one(Collection(union(self.type_of(value, scope) for value in yielded)))
            return
        for stmt in statements(function.body):
            if isinstance(stmt, Return) and stmt.value is not None:
                yield self.type_of(stmt.value, scope)

    # -------------------------------------------------------------- parameters

    def param(self, function: FunctionInfo, param: Param) -> Type:
        """What a parameter may be: ``self``, as annotated, by its default, else as callers pass."""
        return self.ask((id(function), "param", param.name), self._param(function, param))

    def _param(self, function: FunctionInfo, param: Param) -> Iterator[Type]:
        if param.annotation is not None:
            found = self.said(param.annotation, Scope.of_signature(function))
            if param.kind == "args":
                found = one(Collection(found))
            elif param.kind == "kwargs":
                found = one(Table(UNKNOWN, found))
            if found - NONE:
                default = self._default(function, param)
                yield found | frozenset(a for a in default if isinstance(a, (ClassObject, Method)))
                if any(isinstance(atom, Signature) for atom in found):
                    given = self.callers.passed(function, param)
                    yield frozenset(a for a in given if isinstance(a, (ClassObject, Method, Partial)))
                return
        if function.takes_self and param is function.facts.params[0] and function.owner is not None:
            bound = "classmethod" in function.decorators or function.name == "__new__"
            yield one(ClassObject(function.owner) if bound else Instance(function.owner))
            return
        if param.kind in ("args", "kwargs"):
            return
        yield self._default(function, param)
        yield self.callers.passed(function, param)

    def _default(self, function: FunctionInfo, param: Param) -> Type:
        if param.default is None:
            return UNKNOWN
        return self.type_of(param.default, Scope.of_signature(function))
