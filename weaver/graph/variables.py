"""What a picture is asked to show: the variables `a, b` of a snippet, and options, `a, b, backward=1`."""

import ast
from collections.abc import Iterator
from typing import Any

from weaver import syntax


def parse(argument: str) -> tuple[list[ast.expr], dict[str | None, ast.expr]]:
    """Return the variables' expressions and the options by name. Raises SyntaxError if it is no such list."""
    call = syntax.expression(f"_({argument})")
    if not isinstance(call, ast.Call):
        raise SyntaxError("not a list of variables")
    return call.args, {option.arg: option.value for option in call.keywords}


def evaluate(argument: str, namespace: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the name and the value of each variable; what evaluating raises goes to the caller."""
    for expression in parse(argument)[0]:
        code = compile(ast.Expression(expression), "<page>", "eval")
        yield ast.unparse(expression), eval(code, dict(namespace))
