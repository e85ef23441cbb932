"""The nearest that fixit's rules come to three rules of ipc-lint: they see one file at a time and no types.

fixit takes every class in this module for a rule, so what they share is functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst
import libcst.matchers as m
from fixit import LintRule
from libcst.metadata import ParentNodeProvider

FIELD = "http_worker_ipc"
# Named like a message, or like a function that makes one.
MAKES = re.compile(r"\w*(Req|ReqInput|Output)|cls|_?(create|make|build)\w*_req")


class IPC001(LintRule):
    """A construction that copies the identity of an object and leaves the address out."""

    MESSAGE = "built from an object's `rid` without its `http_worker_ipc`"

    def visit_Call(self, node: cst.Call) -> None:
        """Report it unless it is sent with its origin or stays in the process."""
        if not makes(node) or not any(map(is_identity, node.args)) or may_pass_field(node):
            return
        if not any(is_handed_over(parent) for parent in parents(self, node)) and not mended(self, node):
            self.report(node)


class IPC101(LintRule):
    """A sender that is called without the object that the output answers."""

    MESSAGE = "sent without the object that it answers"

    def visit_Call(self, node: cst.Call) -> None:
        """Report it unless the output has the address from where it is made."""
        match node:
            case cst.Call(func=cst.Attribute(attr=cst.Name("send_output")), args=[cst.Arg(value=output)]):
                function = enclosing(self, node)
                made = m.Assign(targets=[m.AssignTarget(target=m.Name(text(output)))])
                before = m.findall(function, made) if isinstance(output, cst.Name) else []
                if not any(FIELD in text(statement) for statement in (node, *before)):
                    self.report(node)


class IPC201(LintRule):
    """A sender whose test of the object it reads from decides whether the address is copied."""

    MESSAGE = "the test of the object read from decides whether the address is copied"

    def visit_Call(self, node: cst.Call) -> None:
        """Report the test if the copy stands below it."""
        match node:
            case cst.Call(
                func=cst.Name("isinstance"), args=[cst.Arg(value=origin), cst.Arg(value=cst.Name("BaseReq"))]
            ):
                copy = re.compile(rf"\.{FIELD} = {re.escape(text(origin))}\.{FIELD}\b")
                guards = (parent for parent in parents(self, node) if isinstance(parent, cst.If))
                in_sender = m.matches(enclosing(self, node), m.FunctionDef(name=m.Name("send_output")))
                if in_sender and any(copy.search(text(guard)) for guard in guards):
                    self.report(node)


def makes(node: cst.Call) -> bool:
    """Whether a call looks like a construction of a message."""
    match node.func:
        case cst.Name(name) | cst.Attribute(attr=cst.Name(name)):
            return MAKES.fullmatch(name) is not None
        case cst.Call(func=cst.Name("type")):
            return True
    return False


def is_identity(arg: cst.Arg) -> bool:
    """Whether an argument is the ``rid`` of an object, or one of its ``rid``."""
    match arg:
        case cst.Arg(
            keyword=None | cst.Name("rid"),
            value=cst.Attribute(attr=cst.Name("rid"))
            | cst.Subscript(value=cst.Attribute(attr=cst.Name("rid"))),
        ):
            return True
    return False


def may_pass_field(node: cst.Call) -> bool:
    """Whether the field is among the arguments, or may be in a dict that is spread."""
    return any(arg.star == "**" or FIELD in text(arg) for arg in node.args)


def is_handed_over(node: cst.CSTNode) -> bool:
    """Whether a call sends with an origin, or is a command that never leaves the process."""
    match node:
        case cst.Call(func=cst.Attribute(attr=cst.Name("send_output")), args=[_, _]):
            return True
        case cst.Call(func=cst.Attribute(attr=cst.Name("abort_request"))):
            return True
    return False


def mended(rule: LintRule, node: cst.Call) -> bool:
    """Whether what is made gets the field, or is sent with its origin, in the same function."""
    match rule.get_metadata(ParentNodeProvider, node):
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))]):
            stamped = m.Assign(
                targets=[m.AssignTarget(target=m.Attribute(value=m.Name(name), attr=m.Name(FIELD)))]
            )
            sent = m.Call(
                func=m.Attribute(attr=m.Name("send_output")), args=[m.Arg(value=m.Name(name)), m.Arg()]
            )
            return bool(m.findall(enclosing(rule, node), stamped | sent))
    return False


def parents(rule: LintRule, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """What a node stands in, from the inside to the module."""
    while not isinstance(node, cst.Module):
        node = rule.get_metadata(ParentNodeProvider, node)
        yield node


def enclosing(rule: LintRule, node: cst.CSTNode) -> cst.CSTNode:
    """The function that a node stands in, or the module."""
    around = list(parents(rule, node))
    return next((parent for parent in around if isinstance(parent, cst.FunctionDef)), around[-1])


def text(node: cst.CSTNode) -> str:
    """The code of a node."""
    return cst.Module([]).code_for_node(node)
