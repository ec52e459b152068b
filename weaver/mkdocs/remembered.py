"""What a method returned, remembered as long as its object lives."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

Given = ParamSpec("Given")
Returned = TypeVar("Returned")
Owner = TypeVar("Owner")


def remembered(
    method: Callable[Concatenate[Owner, Given], Returned],
) -> Callable[Concatenate[Owner, Given], Returned]:
    """Have a method compute once what it returns for the same arguments.

    `functools.cache` would keep every object that it was called of: in `mkdocs serve` each edit's.
    """

    @wraps(method)
    def again(self: Owner, *arguments: Given.args) -> Returned:
        known = vars(self).setdefault(f"_{method.__name__}_returned", {})
        if arguments not in known:
            known[arguments] = method(self, *arguments)
        return known[arguments]

    return again
