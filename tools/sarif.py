"""Asks Microsoft's SARIF multitool whether it takes what ``--output-format sarif`` writes.

usage: python tools/sarif.py MULTITOOL

MULTITOOL is the program of the npm package of that name; `make sarif` installs it. The findings are
those of the examples of all rules, one of them in a file that a URI has to escape, with a file that
cannot be parsed beside them. Exit code 1: it sees an error, by the rules of SARIF itself or by those
of GitHub's code scanning.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ipc_lint.rules import RULES

_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
_KINDS = ("Sarif", "Ghas")
# Without a library for languages that a small machine may lack.
_ENVIRONMENT = {**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}


def examples(folder: Path) -> None:
    """The faulty example of each rule as a file, and one file that cannot be parsed."""
    for rule in RULES:
        found = _BLOCK.search(inspect.getdoc(rule) or "")
        if found is None:
            raise ValueError(f"{rule.code} has no example")
        # Each in a folder of its own: they define the same names.
        place = folder / f"{rule.code} größe#1"
        place.mkdir()
        (place / "example.py").write_text(found.group(1), encoding="utf-8")
    (folder / "broken.py").write_text("reply_to = (\n", encoding="utf-8")


def log(folder: Path) -> Path:
    """What a run over the folder writes."""
    file = folder / "ipc-lint.sarif"
    command = [sys.executable, "-m", "ipc_lint", "check", "--quiet", "--no-preset", "--field", "reply_to"]
    command += ["--output-format", "sarif", "--output-file", file.name, "."]
    done = subprocess.run(command, cwd=folder, stderr=subprocess.PIPE, text=True)
    run = json.loads(file.read_text(encoding="utf-8"))["runs"][0]
    seen = {result["ruleId"] for result in run["results"]}
    if done.returncode != 2 or seen != {rule.code for rule in RULES}:
        raise ValueError(f"not the run that was meant (exit code {done.returncode}, {sorted(seen)})")
    return file


def errors(multitool: str, file: Path, kind: str) -> Iterator[str]:
    """What the multitool calls an error in a log; its exit code is 1 if there are any."""
    out = file.with_name(f"{kind}.sarif")
    command = [multitool, "validate", file.name, "--rule-kind", kind, "--level", "Error"]
    command += ["--output", out.name, "--log", "ForceOverwrite"]
    subprocess.run(command, cwd=file.parent, env=_ENVIRONMENT, stdout=subprocess.PIPE)
    (run,) = json.loads(out.read_text(encoding="utf-8"))["runs"]
    results: list[dict[str, Any]] = run.get("results", [])
    for result in results:
        place = result["locations"][0]["physicalLocation"]["region"].get("startLine")
        yield f"{result['ruleId']}, line {place}: {' '.join(result['message'].get('arguments', []))}"


def spoiled(file: Path) -> Path:
    """A copy with a reference to a rule that is not there."""
    log = json.loads(file.read_text(encoding="utf-8"))
    log["runs"][0]["results"][0]["ruleIndex"] = len(RULES)
    copy = file.with_name("spoiled.sarif")
    copy.write_text(json.dumps(log, indent=2), encoding="utf-8")
    return copy


def main(multitool: str) -> int:
    """Write, ask, tell; the exit code."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        examples(folder)
        file = log(folder)
        found = [error for kind in _KINDS for error in errors(multitool, file, kind)]
        if not list(errors(multitool, spoiled(file), "Sarif")):
            found.append("the multitool sees no error in a log that has one: what it says is worth nothing")
    for error in found:
        print(error, file=sys.stderr)
    print(f"SARIF multitool: {len(found)} errors by the rules of {' and '.join(_KINDS)}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
