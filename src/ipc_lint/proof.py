"""Is a new tree the old tree plus the change that was meant, and nothing else?"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

# The kinds of change that fixes make.
ARGUMENT = "argument"  # a call has one more argument, or another one in the place of None
GATE = "gate"  # an `if` tests and reads something else, with one assignment before it
VALUE = "value"  # an argument is the same attribute of another variable
MOVE = "move"  # one statement of a block stands further up
COMMENT = "comment"  # a comment is another one: no change of the tree at all
OTHER = "other"


def changes(old: ast.AST, new: ast.AST) -> Iterator[str]:
    """The changes between two trees, each by its kind."""
    if type(old) is not type(new):
        yield OTHER
    elif isinstance(old, ast.Call) and isinstance(new, ast.Call):
        yield from _call(old, new)
    else:
        for name in old._fields:
            yield from _values(getattr(old, name, None), getattr(new, name, None))


def _values(old: object, new: object) -> Iterator[str]:
    if isinstance(old, ast.AST) and isinstance(new, ast.AST):
        yield from changes(old, new)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _lists(old, new)
    elif old != new or type(old) is not type(new):
        yield OTHER


def _lists(old: Sequence[object], new: Sequence[object]) -> Iterator[str]:
    if _is_moved(old, new):
        yield MOVE
        return
    place = 0
    for item in old:
        if place >= len(new):
            yield OTHER
            return
        here = new[place]
        if isinstance(item, ast.If) and isinstance(here, ast.Assign) and place + 1 < len(new):
            # The field is read into a local first; then comes the `if` that was there.
            after = new[place + 1]
            yield GATE if isinstance(after, ast.If) and len(after.body) == len(item.body) else OTHER
            place += 2
        else:
            yield from _values(item, here)
            place += 1
    if place < len(new):
        yield OTHER


def _is_moved(old: Sequence[object], new: Sequence[object]) -> bool:
    """Whether two blocks differ in the place of one statement, and that stands further up."""
    if len(old) != len(new) or not all(isinstance(item, ast.stmt) for item in old):
        return False
    before, after = ([ast.dump(item) for item in items if isinstance(item, ast.AST)] for items in (old, new))
    differing = [n for n, (one, other) in enumerate(zip(before, after, strict=False)) if one != other]
    if len(differing) < 2:
        return False
    first, last = differing[0], differing[-1]
    moved = [*before[:first], before[last], *before[first:last], *before[last + 1 :]]
    return moved == after


def _call(old: ast.Call, new: ast.Call) -> Iterator[str]:
    yield from changes(old.func, new.func)
    more = len(new.args) - len(old.args) + len(new.keywords) - len(old.keywords)
    if more == 0:
        yield from _same_number(old, new)
    elif more == 1 and len(new.args) == len(old.args):
        yield ARGUMENT
        names = [word.arg for word in old.keywords]
        rest = list(new.keywords)
        for word in rest:
            if word.arg is not None and word.arg not in names:
                rest.remove(word)
                break
        yield from _lists(old.args, new.args)
        yield from _lists(old.keywords, rest)
    elif more == 1 and len(new.keywords) == len(old.keywords):
        yield ARGUMENT
        yield from _lists(old.args, new.args[:-1])
        yield from _lists(old.keywords, new.keywords)
    else:
        yield OTHER


def _same_number(old: ast.Call, new: ast.Call) -> Iterator[str]:
    if len(old.args) != len(new.args):
        yield OTHER
        return
    for one, other in zip(old.args, new.args, strict=True):
        yield from _argument(one, other)
    for mine, theirs in zip(old.keywords, new.keywords, strict=True):
        if mine.arg != theirs.arg:
            yield OTHER
        yield from _argument(mine.value, theirs.value)


def _argument(old: ast.expr, new: ast.expr) -> Iterator[str]:
    was_none = isinstance(old, ast.Constant) and old.value is None
    if was_none and not isinstance(new, ast.Constant):
        yield ARGUMENT
    elif _is_same_attribute(old, new):
        yield VALUE
    else:
        yield from changes(old, new)


def _is_same_attribute(old: ast.expr, new: ast.expr) -> bool:
    """Whether two expressions read one attribute of two different variables."""
    match old, new:
        case ast.Attribute(ast.Name(one), first), ast.Attribute(ast.Name(other), second):
            return first == second and one != other
    return False
