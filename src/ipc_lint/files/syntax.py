"""Why a file does not parse, in one line: broken, too deep, or written for a newer Python."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import libcst as cst

Version = tuple[int, int]
_NEWEST_KNOWN: Version = (3, 15)


def why(error: Exception, text: str, running: Version = sys.version_info[:2]) -> str:
    """One line for an exception of ``ast.parse(text)``."""
    if isinstance(error, RecursionError | MemoryError):
        return f"nested too deeply for Python {_dotted(running)} to parse"
    if not isinstance(error, SyntaxError):
        return " ".join(str(error).split()) or type(error).__name__
    newer = newer_syntax(text, running)
    if newer:
        version, feature = newer
        message = f"needs Python {_dotted(version)} or newer ({feature}), this is {_dotted(running)}"
    else:
        message = " ".join((error.msg or "invalid syntax").split())
    if not error.lineno:
        return message
    return f"line {error.lineno}, column {max(error.offset or 1, 1)}: {message}"


def newer_syntax(text: str, running: Version) -> tuple[Version, str] | None:
    """The Python that ``text`` needs and its reason, if it is whole but beyond ``running``.

    libcst accepts newer grammar than the running Python; a feature is named only if libcst takes
    the whole file and its tree holds the feature. So a broken file is never called a new one.
    """
    if running >= _NEWEST_KNOWN:
        return None
    import libcst

    try:
        tree = libcst.parse_module(text)
    except Exception:  # broken for libcst too, in whatever way: nothing is known
        return None
    needed = max(_features(tree), default=None)
    return needed if needed and needed[0] > running else None


def _features(tree: cst.Module) -> Iterator[tuple[Version, str]]:
    stack: list[cst.CSTNode] = [tree]
    while stack:
        node = stack.pop()
        found = _feature(node, tree)
        if found:
            yield found
        stack.extend(node.children)


def _feature(node: cst.CSTNode, tree: cst.Module) -> tuple[Version, str] | None:
    import libcst as cst

    match node:
        case cst.StarredDictComp():
            return (3, 15), "unpacking in a comprehension"
        case cst.ListComp(elt=elt) | cst.SetComp(elt=elt) | cst.GeneratorExp(elt=elt):
            return ((3, 15), "unpacking in a comprehension") if isinstance(elt, cst.StarredElement) else None
        case cst.TemplatedString():
            return (3, 14), "template string"
        case cst.ExceptHandler(type=cst.Tuple(lpar=()) as kinds):
            # `except Error, name` is also what Python 2 wrote.
            return ((3, 14), "except without parentheses") if _all_classes(kinds) else None
        case cst.TypeParam(default=cst.CSTNode()):
            return (3, 13), "default of a type parameter"
        case cst.TypeAlias():
            return (3, 12), "type statement"
        case cst.TypeParameters():
            return (3, 12), "type parameters"
        case cst.FormattedString() if _beyond_old_f_strings(node, tree):
            return (3, 12), "nested quotes, backslash or comment in an f-string"
        case cst.TryStar():
            return (3, 11), "except*"
        case cst.Index(star="*") | cst.Annotation(annotation=cst.StarredElement()):
            return (3, 11), "star in a subscript or annotation"
    return None


def _all_classes(kinds: cst.Tuple) -> bool:
    import libcst as cst

    for element in kinds.elements:
        match element.value:
            case cst.Name(value=name) | cst.Attribute(attr=cst.Name(value=name)) if name[:1].isupper():
                continue
        return False
    return True


def _beyond_old_f_strings(node: cst.FormattedString, tree: cst.Module) -> bool:
    """Whether a part in braces holds what Python 3.11 could not read there."""
    import libcst as cst

    for part in node.parts:
        if not isinstance(part, cst.FormattedStringExpression):
            continue
        code = tree.code_for_node(part)
        if node.quote in code or "\\" in tree.code_for_node(part.expression):
            return True
        if (len(node.quote) == 1 and "\n" in code) or _has_comment(part):
            return True
    return False


def _has_comment(node: cst.CSTNode) -> bool:
    import libcst as cst

    return isinstance(node, cst.Comment) or any(map(_has_comment, node.children))


def _dotted(version: Version) -> str:
    return f"{version[0]}.{version[1]}"
