"""Programs and expressions as syntax trees."""

import ast
from threading import RLock
from typing import Any, Literal

# One thread at a time: Python counts how deep all of them are together, and raises SystemError if that isn't
# even in the end (CPython's issue 106905). What the garbage collector calls meanwhile is the same thread.
_alone = RLock()


def parsed(code: str | bytes) -> ast.Module:
    """Return a program's tree. Raises SyntaxError for code that isn't Python or is nested too deeply."""
    tree: ast.Module = _parsed(code, "exec")
    return tree


def expression(code: str) -> ast.expr:
    """Return an expression's tree. Raises SyntaxError as `parsed` does."""
    tree: ast.Expression = _parsed(code, "eval")
    return tree.body


def _parsed(code: str | bytes, mode: Literal["exec", "eval"]) -> Any:
    try:
        with _alone:
            return ast.parse(code, mode=mode)
    except (RecursionError, MemoryError):
        raise SyntaxError("nested too deeply") from None
    except ValueError as error:  # a null byte
        raise SyntaxError(str(error)) from None
