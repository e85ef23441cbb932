"""Projects in memory: the index and the contract need no file."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ipc_lint.contract.infer import Contract
from ipc_lint.contract.nouns import FieldPair
from ipc_lint.facts import ModuleFacts, Name
from ipc_lint.facts.scout import scout
from ipc_lint.facts.words import Text
from ipc_lint.files.source import Source
from ipc_lint.index.infer import Inference
from ipc_lint.index.layout import Layout, imported_modules
from ipc_lint.index.project import Project
from ipc_lint.index.scope import Scope
from ipc_lint.index.types import ClassObject, Instance, Type


def inference(files: Mapping[str, str]) -> Inference:
    """The index over some files below the root ``/p``."""
    facts: dict[str, ModuleFacts] = {}
    for path, text in files.items():
        facts[f"/p/{path}"], _ = scout(ast.parse(text))
    imports = {path: imported_modules(module) for path, module in facts.items()}
    project = Project(Layout("/p", facts, imports))
    for path, module in facts.items():
        project.add(path, module, Text(Source(path, files[path.removeprefix("/p/")].encode())))
    return Inference(project)


def contract(files: Mapping[str, str], field: str = "reply_to") -> Contract:
    """The contract of a field over some files."""
    return Contract(inference(files), FieldPair(field, f"{field}s"))


def type_of(infer: Inference, path: str, function: str, name: str) -> Type:
    """What a variable of a function may be."""
    found = infer.project.modules[f"/p/{path}"].functions[function]
    return infer.type_of(Name(name), Scope(found))


def shown(type_: Type) -> set[str]:
    """The classes of a type by their short names; other atoms by the name of their kind."""
    return {
        atom.cls.short if isinstance(atom, (Instance, ClassObject)) else type(atom).__name__ for atom in type_
    }
