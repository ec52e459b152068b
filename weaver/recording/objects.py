"""Python as it was when the recorder was loaded, and what an object is without asking its own code.

A program may replace any builtin and any function of a module, and its classes may answer a question with
code of their own, which watching must not run. So a module of the recorder

- begins with `from weaver.recording.objects import BUILTINS as __builtins__`, which is where CPython looks
  up the builtins of the functions below that line;
- imports by name the functions that it calls while the program runs;
- asks the program's objects through the functions here, and tensors and nodes through `tensors`.
"""

import builtins
from collections.abc import Callable
from itertools import chain
from sys import version_info
from types import BuiltinFunctionType, FunctionType, GeneratorType, GetSetDescriptorType, MethodType
from typing import Any, TypeVar

BUILTINS = dict(vars(builtins))
__builtins__ = BUILTINS  # type: ignore[assignment]

Function = TypeVar("Function", bound=Callable[..., Any])

PLAIN = (str, bytes, int, float, complex, bool, type(None))
NAMED = (FunctionType, BuiltinFunctionType)
UNKNOWN = "?"
GROUP = getattr(builtins, "BaseExceptionGroup", ())  # from Python 3.11 on

_mro = type.__dict__["__mro__"].__get__
_members = type.__dict__["__dict__"].__get__
_name = type.__dict__["__name__"].__get__
_qualified = type.__dict__["__qualname__"].__get__
_module = type.__dict__["__module__"].__get__
_arguments = BaseException.__dict__["args"].__get__
Slot = type(object.__str__)  # what is written in C
# What the texts of some errors have beside their arguments
_told_by: tuple[Any, ...] = (OSError.filename, OSError.filename2, SyntaxError.msg, SyntaxError.filename)


class original_builtins:
    """Gives everybody the builtins of the beginning, meanwhile."""

    def __enter__(self) -> None:
        self.theirs = dict.copy(vars(builtins))
        dict.update(vars(builtins), BUILTINS)

    def __exit__(self, *error: object) -> None:
        dict.clear(vars(builtins))
        dict.update(vars(builtins), self.theirs)


def class_name(kind: type) -> str:
    """Return the name of a class."""
    return _name(kind)


def class_module(kind: type) -> str:
    """Return the name of the module that a class says it is from."""
    try:
        found = _module(kind)
    except AttributeError:
        return UNKNOWN
    return found if type(found) is str else UNKNOWN


def class_member(kind: type, name: str) -> object:
    """Return what a class or the nearest of its bases has under a name, None if nothing."""
    for base in _mro(kind):
        members = _members(base)
        if name in members:
            return members[name]
    return None


def own_dict(value: object) -> dict | None:
    """Return the dictionary with an object's attributes, None if it has none."""
    for base in _mro(type(value)):
        found = _members(base).get("__dict__")
        if type(found) is GetSetDescriptorType:
            attributes = found.__get__(value)
            return attributes if issubclass(type(attributes), dict) else None
    return None


def callable_name(function: Callable[..., object]) -> str:
    """Return the name of a function or method, or of the class of anything else that can be called."""
    if type(function) is MethodType:
        function = function.__func__
    return function.__name__ if type(function) in NAMED else _name(type(function))


def callable_module(function: object) -> str | None:
    """Return the name of a function's module, None for what is no function."""
    found = function.__module__ if type(function) in NAMED else None
    return found if type(found) is str else None


def error_text(error: BaseException) -> str | None:
    """Return what an error says, None if only code of the program's could tell."""
    says = class_member(type(error), "__str__")
    told = [one.__get__(error) for one in _told_by if issubclass(type(error), one.__objclass__)]
    arguments = _arguments(error)
    if issubclass(type(error), GROUP):  # of whose errors it tells the number
        arguments = arguments[:1]
    if type(says) is not Slot or not _is_plain([arguments, told]):
        return None
    text = says(error)
    return text.replace(", line 0)", ")") if issubclass(type(error), SyntaxError) else text  # of no line


def error_line(error: BaseException, qualified: bool = False, printed: str = "") -> str:
    """Return the name of an error's class, and what it says if that can be known, or was `printed`."""
    kind, text = type(error), error_text(error)
    name = _name(kind)
    if qualified:
        module = class_module(kind)
        name = _qualified(kind) if module in ("__main__", "builtins") else f"{module}.{_qualified(kind)}"
    if text is None and f"\n{name}: " in printed:
        text = printed.rpartition(f"\n{name}: ")[2].rstrip()
    return f"{name}: {text}" if text else name


def _is_plain(value: Any, depth: int = 3) -> bool:
    if type(value) in (tuple, list):
        return depth > 0 and all(_is_plain(one, depth - 1) for one in value)
    return type(value) in PLAIN


def is_used_up(one: Any) -> bool:
    """Tell whether nothing more comes from an iterator, as far as that's known without asking it."""
    if type(one) is GeneratorType:
        return one.gi_frame is None
    if type(one) in (filter, map):
        return any(map(is_used_up, one.__reduce__()[1][1:]))
    if type(one) in (zip, enumerate):
        return any(map(is_used_up, one.__reduce__()[1]))
    if type(one) is chain:
        return version_info < (3, 14) and len(one.__reduce__()) == 2  # else what it goes through is in it
    return type(one) in (type(iter([])), type(iter(()))) and not one.__length_hint__()
