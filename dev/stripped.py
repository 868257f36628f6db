"""What a module of ours becomes in the frozen program: itself, without what only people and type checkers read.

Every hook call reads its modules anew, and a third of what it would read is annotations and docstrings.
"""

from __future__ import annotations
import __future__

import ast
from types import CodeType

_FOR_TYPES = "TYPE_CHECKING"


def code_of(source: bytes, filename: str, *, keep_docstrings: bool) -> CodeType:
    """Return a module's code, stripped; its lines keep their numbers."""
    module = stripped(ast.parse(source, filename), keep_docstrings=keep_docstrings)
    # What `from __future__ import annotations` says, without importing that module in every call.
    flags = __future__.annotations.compiler_flag
    code: CodeType = compile(module, filename, "exec", flags=flags, dont_inherit=True)
    return code


def without_lines(code: CodeType) -> CodeType:
    """Code that does not know on which line of its source it is: a sixth of what a call reads of it."""
    inner = (without_lines(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=tuple(inner))


def stripped(module: ast.Module, *, keep_docstrings: bool) -> ast.Module:
    """A module that does the same: no blocks for type checkers, no annotations of functions and of a module's names.

    Those of classes stay, since they are the fields of our values. `keep_docstrings` is for where they are printed.
    """
    module = _Stripping(keep_docstrings).visit(module)
    module.body = [statement for statement in map(_without_annotation, module.body) if statement is not None]
    used = {node.id for node in ast.walk(module) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    if _FOR_TYPES not in used:
        module.body = [statement for statement in module.body if not _is_constant_for_types(statement)]
    return ast.fix_missing_locations(module)


class _Stripping(ast.NodeTransformer):
    def __init__(self, keep_docstrings: bool) -> None:
        self._keep_docstrings = keep_docstrings

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if not isinstance(node, _WITH_BODY):
            return super().generic_visit(node)
        first = node.body[:1]
        # Any string that is a statement: a later one would be the docstring in the place of the first.
        kept = first if self._keep_docstrings and isinstance(node, _WITH_DOCSTRING) else []
        node.body = [statement for statement in node.body if statement in kept or not _is_string(statement)]
        super().generic_visit(node)
        if not node.body and not isinstance(node, ast.Module):
            node.body = [ast.copy_location(ast.Pass(), first[0])]
        return node

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        test = node.test
        if _is_for_types(test):
            return node.orelse
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and _is_for_types(test.operand):
            return node.body
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return None if node.module == "__future__" else node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)


_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_WITH_BODY = (
    *_WITH_DOCSTRING,
    *(ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith),
    *(ast.Try, ast.TryStar, ast.ExceptHandler, ast.match_case),
)


def _is_string(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _is_for_types(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == _FOR_TYPES


def _is_constant_for_types(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and len(statement.targets) == 1 and _is_for_types(statement.targets[0])


def _without_annotation(statement: ast.stmt) -> ast.stmt | None:
    if not isinstance(statement, ast.AnnAssign):
        return statement
    if statement.value is None:
        return None
    return ast.copy_location(ast.Assign([statement.target], statement.value), statement)
