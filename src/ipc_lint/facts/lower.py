"""``ast`` expressions and patterns to facts: what can carry an object is kept, the rest is folded."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from ipc_lint.facts import (
    OPAQUE,
    At,
    Attr,
    Bind,
    Bool,
    Call,
    Choice,
    Comp,
    Compare,
    Const,
    Expr,
    Item,
    Keyword,
    Lambda,
    Loop,
    Map,
    Name,
    Not,
    Other,
    Param,
    ParamKind,
    Seq,
    Star,
    Yield,
)

_above = 0


@contextmanager
def below(lines: int) -> Iterator[None]:
    """What is lowered meanwhile stands so many lines further below than its tree says."""
    global _above
    outer, _above = _above, lines
    try:
        yield
    finally:
        _above = outer


def at(node: ast.expr | ast.stmt | ast.pattern) -> At:
    """Where a node stands."""
    # The parser always sets the ends; only hand-made trees lack them.
    return At(
        node.lineno + _above, node.col_offset, (node.end_lineno or 0) + _above, node.end_col_offset or 0
    )


# Below this nobody looks: generated code nests thousands deep, and every later pass recurses.
_DEEPEST = 40
_depth = 0
# What can't be handed from one process to another says nothing about an object either.
_LARGEST = 1 << 63
_SURROGATE = re.compile("[\ud800-\udfff]")


def lower(node: ast.expr) -> Expr:
    """One expression; what is nested deeper than anybody writes is left out."""
    global _depth
    if _depth >= _DEEPEST:
        return OPAQUE
    if type(node) is ast.Name:  # every second one
        return Name(node.id)
    _depth += 1
    try:
        handler = _HANDLERS.get(type(node))
        return handler(node) if handler is not None else fold(ast.iter_child_nodes(node))
    finally:
        _depth -= 1


def lower_all(nodes: Iterable[ast.expr]) -> tuple[Expr, ...]:
    """Several expressions, in order."""
    return tuple([lower(node) for node in nodes])


def fold(nodes: Iterable[ast.AST]) -> Expr:
    """Everything of some nodes that holds a name or a call."""
    parts = [lower(node) for node in nodes if isinstance(node, ast.expr)]
    parts = [part for part in parts if not isinstance(part, Const) and part != OPAQUE]
    return Other(tuple(parts)) if parts else OPAQUE


def lower_annotation(node: ast.expr | None) -> Expr | None:
    """An annotation; what stands in quotes is read as code."""
    if node is None:
        return None
    return lower(_Unquoted().visit(node) if _has_quotes(node) else node)


def _has_quotes(node: ast.expr) -> bool:
    """Whether a part of an annotation stands in quotes."""
    if isinstance(node, ast.Name):
        return False
    if isinstance(node, ast.Attribute):
        return _has_quotes(node.value)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        return _has_quotes(node.slice)
    if isinstance(node, ast.Tuple):
        return any(map(_has_quotes, node.elts))
    return any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in ast.walk(node))


class _Unquoted(ast.NodeTransformer):
    """Replaces quoted parts of an annotation by what they say, but for the values of Literal."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        name = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
        return node if name == "Literal" else self.generic_visit(node)  # type: ignore[return-value]

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, str):
            return node
        try:
            inner = ast.parse(node.value.strip(), mode="eval").body
            for part in ast.walk(inner):
                ast.copy_location(part, node)
            return self.visit(inner)  # type: ignore[no-any-return]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return node


def lower_params(args: ast.arguments) -> tuple[Param, ...]:
    """The parameters of a function, in the order of the call."""
    positional = [*args.posonlyargs, *args.args]
    bare: list[ast.expr | None] = [None] * (len(positional) - len(args.defaults))
    params = [
        _param(arg, default, "positional")
        for arg, default in zip(positional, [*bare, *args.defaults], strict=True)
    ]
    if args.vararg is not None:
        params.append(_param(args.vararg, None, "args"))
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        params.append(_param(arg, default, "keyword"))
    if args.kwarg is not None:
        params.append(_param(args.kwarg, None, "kwargs"))
    return tuple(params)


def defaulted(args: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr]]:
    """The parameters that have a default value, each with it."""
    positional = [*args.posonlyargs, *args.args]
    yield from zip(positional[len(positional) - len(args.defaults) :], args.defaults, strict=True)
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        if default is not None:
            yield arg, default


def _param(arg: ast.arg, default: ast.expr | None, kind: ParamKind) -> Param:
    value = None if default is None else lower(default)
    return Param(arg.arg, lower_annotation(arg.annotation), value, kind)


def pattern_classes(pattern: ast.pattern) -> tuple[ast.expr, ...] | None:
    """The classes one of which a pattern asks for, or None if it asks for none."""
    match pattern:
        case ast.MatchClass(cls=cls):
            return (cls,)
        case ast.MatchAs(pattern=inner) if inner is not None:
            return pattern_classes(inner)
        case ast.MatchOr(patterns=options):
            found = [pattern_classes(option) for option in options]
            return None if None in found else tuple(cls for part in found for cls in part or ())
    return None


def is_pure(pattern: ast.pattern) -> bool:
    """Whether a class pattern tests nothing but the class."""
    match pattern:
        case ast.MatchClass(patterns=[], kwd_patterns=parts):
            return all(isinstance(part, ast.MatchAs) and part.pattern is None for part in parts)
        case ast.MatchAs(pattern=inner) if inner is not None:
            return is_pure(inner)
        case ast.MatchOr(patterns=options):
            return all(is_pure(option) for option in options)
    return False


def pattern_names(pattern: ast.pattern) -> tuple[tuple[str, str | None], ...]:
    """The names that a pattern binds, each with the attribute of the subject that it takes."""
    attributes: dict[str, str | None] = {}
    if isinstance(pattern, ast.MatchClass):
        for attribute, part in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
            if isinstance(part, ast.MatchAs) and part.pattern is None and part.name is not None:
                attributes[part.name] = attribute
    for node in ast.walk(pattern):
        if isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name is not None:
            attributes.setdefault(node.name, None)
        elif isinstance(node, ast.MatchMapping) and node.rest is not None:
            attributes.setdefault(node.rest, None)
    return tuple(attributes.items())


def _attribute(node: ast.Attribute) -> Expr:
    return Attr(lower(node.value), node.attr)


def _constant(node: ast.Constant) -> Expr:
    value = node.value
    if isinstance(value, str):
        return Const(value) if value.isascii() or not _SURROGATE.search(value) else OPAQUE
    if isinstance(value, int):  # or a bool
        return Const(value) if -_LARGEST <= value < _LARGEST else OPAQUE
    return Const(None) if value is None else OPAQUE


def _call(node: ast.Call) -> Expr:
    keywords = tuple([Keyword(word.arg, lower(word.value)) for word in node.keywords])
    return Call(lower(node.func), lower_all(node.args), keywords, at(node))


def _binop(node: ast.BinOp) -> Expr:
    # The left spine is walked, not recursed into: generated code chains thousands of `+`.
    # `A | B` in annotations comes here too: the parts are the alternatives.
    parts: list[ast.expr] = [node.right]
    left: ast.expr = node.left
    while isinstance(left, ast.BinOp):
        parts.append(left.right)
        left = left.left
    return fold([left, *reversed(parts)])


def _compare(node: ast.Compare) -> Expr:
    if len(node.ops) == 1:
        return Compare(lower(node.left), type(node.ops[0]).__name__, lower(node.comparators[0]), at(node))
    return fold([node.left, *node.comparators])


def _dict(node: ast.Dict) -> Expr:
    keys = tuple([None if key is None else lower(key) for key in node.keys])
    return Map(keys, lower_all(node.values))


def _comprehension(kind: Literal["list", "set", "generator"]) -> Callable[[Any], Expr]:
    def handler(node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Expr:
        return Comp(kind, (lower(node.elt),), _loops(node.generators))

    return handler


def _loops(generators: list[ast.comprehension]) -> tuple[Loop, ...]:
    return tuple([Loop(lower(g.target), lower(g.iter), lower_all(g.ifs)) for g in generators])


def _subscript(node: ast.Subscript) -> Expr:
    return Item(lower(node.value), lower(node.slice))


def _bool(node: ast.BoolOp) -> Expr:
    return Bool("and" if isinstance(node.op, ast.And) else "or", lower_all(node.values))


def _unary(node: ast.UnaryOp) -> Expr:
    return Not(lower(node.operand)) if isinstance(node.op, ast.Not) else fold([node.operand])


def _yield(node: ast.Yield | ast.YieldFrom) -> Expr:
    return Yield(Const(None) if node.value is None else lower(node.value))


_HANDLERS: dict[type[ast.expr], Callable[[Any], Expr]] = {
    ast.Attribute: _attribute,
    ast.Constant: _constant,
    ast.Call: _call,
    ast.BinOp: _binop,
    ast.Compare: _compare,
    ast.Dict: _dict,
    ast.ListComp: _comprehension("list"),
    ast.SetComp: _comprehension("set"),
    ast.GeneratorExp: _comprehension("generator"),
    ast.DictComp: lambda node: Comp("dict", (lower(node.key), lower(node.value)), _loops(node.generators)),
    ast.Subscript: _subscript,
    ast.BoolOp: _bool,
    ast.UnaryOp: _unary,
    ast.Yield: _yield,
    ast.YieldFrom: _yield,
    ast.Await: lambda node: lower(node.value),
    ast.Starred: lambda node: Star(lower(node.value)),
    ast.List: lambda node: Seq("list", lower_all(node.elts)),
    ast.Tuple: lambda node: Seq("tuple", lower_all(node.elts)),
    ast.Set: lambda node: Seq("set", lower_all(node.elts)),
    ast.IfExp: lambda node: Choice(lower(node.test), lower(node.body), lower(node.orelse)),
    ast.NamedExpr: lambda node: Bind(node.target.id, lower(node.value)),
    ast.Lambda: lambda node: Lambda(lower_params(node.args), lower(node.body)),
}
