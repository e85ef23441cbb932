"""The rules as documentation: their docstrings taken apart, and how to silence them."""

from __future__ import annotations

import inspect
import re

from ipc_lint.model import Applicability, RuleDoc
from ipc_lint.rules import RULES
from ipc_lint.rules._rule import Rule

_FIX = re.compile(r"^## Fix safety\n\n(There is no fix|Unsafe)?", re.MULTILINE)
_REFERENCES = re.compile(r"^## References$.*", re.MULTILINE | re.DOTALL)
_UPSTREAM = re.compile(r"PR #(\d+)")
_SILENCE = """\
## How to silence it

* `# ipc-lint: ignore[{code}] reason` on any line of the statement, or right above it: in one place.
  `# noqa: {code}` is the same.
* `ignore = ["{code}"]` in the config, or `ipc-lint check --ignore {code}`: everywhere. The name is as good
  as the code.
* `per-file-ignores = {{ "PATTERN" = ["{code}"] }}` in the config: in the files that the pattern matches.

"""


def documentation() -> tuple[RuleDoc, ...]:
    """All rules, in the order of their codes."""
    return tuple(map(document, RULES))


def document(rule: type[Rule]) -> RuleDoc:
    """One rule. What its fixes are is told by how its documentation speaks of them."""
    text = inspect.getdoc(rule) or ""
    found = _REFERENCES.search(text)
    references = found.group() if found else ""
    upstream = _UPSTREAM.search(references)
    silence = _SILENCE.format(code=rule.code, name=rule.name)
    return RuleDoc(
        rule.code,
        rule.name,
        rule.severity,
        text.partition("\n")[0],
        f"{text.removesuffix(references)}{silence}{references}".strip(),
        _fix(text),
        f"https://github.com/sgl-project/sglang/pull/{upstream.group(1)}" if upstream else None,
    )


def _fix(text: str) -> Applicability | None:
    match _FIX.search(text):
        case None:
            return None
        case found if found.group(1) is None:
            return "safe"
        case found:
            return "unsafe" if found.group(1) == "Unsafe" else None
