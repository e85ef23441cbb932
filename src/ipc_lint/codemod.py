"""The libcst command: ``python -m libcst.tool codemod -x --no-format ipc_lint.codemod.AddMissingField PATH``.

It runs the engine on the module's bytes and hands back the parsed result: there is one way to make
an edit, and this is only another door to it.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from functools import partial

import libcst as cst
from libcst.codemod import CodemodCommand, CodemodContext, SkipFile

from ipc_lint import fix
from ipc_lint.config.resolve import Configs
from ipc_lint.engine import check
from ipc_lint.files.discover import discover
from ipc_lint.files.project import Project, find_project
from ipc_lint.model import Report
from ipc_lint.settings import Layer, NotAField, Settings, field_names

# One check of a whole project serves all of its files that this process is given.
_faulty: dict[tuple[Project, Settings], frozenset[str]] = {}


class AddMissingField(CodemodCommand):
    """Hands the return address on where a construction or a send forgets it."""

    DESCRIPTION = "Add the return address where a message loses it."

    @staticmethod
    def add_args(parser: argparse.ArgumentParser) -> None:
        """The options of ``ipc-lint check`` that say what to look for and how far to go."""
        parser.add_argument("--field", action="append", default=[], help="The attribute to follow.")
        parser.add_argument("--no-preset", action="store_true", help="Use no built-in knowledge.")
        parser.add_argument("--unsafe-fixes", action="store_true", help="Make the other fixes, too.")

    def __init__(
        self,
        context: CodemodContext,
        field: list[str] | None = None,
        no_preset: bool = False,
        unsafe_fixes: bool = False,
    ) -> None:
        super().__init__(context)
        # The tool gives every file below a folder, those of a virtual environment, too.
        said: Layer = {"force_exclude": True}
        if field:
            try:
                said["fields"] = field_names(field)
            except NotAField as error:
                raise SystemExit(f"ipc-lint: --field: {error.message}") from None
        self._settings = Configs({**said, "preset": None} if no_preset else said)
        self._unsafe = unsafe_fixes

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        """The module with its faults fixed, or the very same tree if there is nothing to fix."""
        path = os.path.abspath(self.context.filename or "module.py")
        data = tree.bytes
        if not self._settings(os.path.dirname(path)).follows_something:
            raise SkipFile("--no-preset leaves nothing to look for: name a --field")
        if os.path.exists(path) and not (self._is_meant(path) and path in self._faulty_files(path)):
            return tree
        fixed = fix.apply(partial(self._check, path), unsafe=self._unsafe, given={path: data})
        for finding in fixed.report.findings:
            self.warn(f"{finding.path}:{finding.span.line}: {finding.code} {finding.message}")
        changed = fixed.contents.get(path)
        return tree if changed is None else cst.parse_module(changed[1])

    def _check(self, path: str, contents: Mapping[str, bytes]) -> Report:
        return check([path], self._settings, contents=contents)

    def _is_meant(self, path: str) -> bool:
        """Whether a file is not excluded."""
        return bool(discover([path], self._settings).files)

    def _faulty_files(self, path: str) -> frozenset[str]:
        settings = self._settings(os.path.dirname(path))
        key = find_project(path, settings), settings
        if key not in _faulty:
            report = check(key[0].folders, self._settings)
            _faulty[key] = frozenset(os.path.abspath(finding.path) for finding in report.findings)
        return _faulty[key]
