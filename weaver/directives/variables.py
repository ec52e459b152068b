"""What the kinds that draw take: a list of variables of the program, and options."""

import ast
from collections.abc import Collection

from weaver.directives.kind import Directive
from weaver.graph import variables
from weaver.problem import nearest


def check_variables(directive: Directive, argument: str, options: Collection[str] = ()) -> None:
    """Raise Problem with the place unless `argument` is `a, b` or, with options, `a, option=1`."""
    usage = f"Write `{directive.kind.usage}`."
    try:
        names, given = variables.parse(argument)
    except SyntaxError:
        raise directive.problem(f"`{argument}` isn't a list of variables. {usage}") from None
    names = [name for name in names if not isinstance(name, ast.Starred)]
    if not names:
        raise directive.problem(f"`{argument}` doesn't name a variable. {usage}")
    if any(isinstance(part, ast.Call | ast.BinOp) for name in names for part in ast.walk(name)):
        raise directive.problem(
            f"`{argument}` is an expression, not a variable. Assign it to one in the snippet."
        )
    for unknown in (option for option in given if option not in options):
        raise directive.problem(f"there is no option `{unknown}`.{nearest(str(unknown), options)} {usage}")
