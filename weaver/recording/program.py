"""Runs a program as `python -u FILE` would, watched or not, with all that it prints in one file."""

import builtins
import io
import os
import sys
import tokenize
import types
from atexit import _run_exitfuncs as call_at_exit
from atexit import register as at_exit
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from gc import collect
from importlib import import_module
from importlib.machinery import ModuleSpec
from os import open as open_file
from os import stat as status
from os import write as write_to
from pathlib import Path
from sys import __excepthook__ as report_error
from threading import _shutdown as wait_for_threads  # type: ignore[attr-defined]
from threading import active_count
from typing import Any

from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.objects import error_line, original_builtins
from weaver.recording.output import Output

OUTPUT_LIMIT = 64 << 20  # bytes that a program may print
NOTING = os.path.dirname(os.path.abspath(__file__))
_lent = original_builtins()  # to the libraries loaded before the program, for what they do at the end


@dataclass(frozen=True, slots=True)
class Script:
    """A program's file, its text, its `sys.argv`, and what is run instead of the text: the file's bytes.

    `module` is its name, if it was named as a module. Files whose paths begin with one of `roots` are its
    own.
    """

    path: str
    source: str
    argv: tuple[str, ...] = ()
    data: bytes | None = None
    module: str = ""
    roots: tuple[str, ...] = ()


def read_source(path: str) -> str:
    """Return the text of a program's file; what Python can't decode is marked as lost."""
    try:
        with tokenize.open(path) as file:
            return file.read()
    except (SyntaxError, LookupError, ValueError, TypeError):  # a codec may do what it likes
        return Path(path).read_bytes().decode("utf-8", "replace")


def take_output(path: str, errors: str | None = None) -> Output:
    """Send stdout and stderr, from here on, to the file at `path`; return it.

    The file at `errors` gets the bytes at which each part begins and ends that went to `sys.stderr`.
    """
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC, 0o600)
    for descriptor in (1, 2):
        os.dup2(file, descriptor)
    os.close(file)
    out = io.FileIO(1, "w", closefd=False)
    err = _Errors(path, errors) if errors else io.FileIO(2, "w", closefd=False)
    sys.stdout = sys.__stdout__ = _text(out, "strict")  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _text(err, "backslashreplace")  # type: ignore[misc]
    return Output(os.path.abspath(path))


class _Errors(io.FileIO):
    """Stderr, noting in the file at `notes` where in the output at `path` what it writes lies."""

    def __init__(self, path: str, notes: str):
        super().__init__(2, "w", closefd=False)
        self._path = os.path.abspath(path)
        self._notes = open_file(notes, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def write(self, data: Any) -> int:
        with suppress(OSError):  # the program has closed it: then this counts as stdout's
            start = status(self._path).st_size
            write_to(self._notes, b"%d %d\n" % (start, start + memoryview(data).nbytes))
        return super().write(data) or 0


def _text(raw: io.FileIO, errors: str) -> io.TextIOWrapper:
    stream = io.TextIOWrapper(raw, "utf-8", errors, newline="\n", write_through=True)
    stream.mode = "w"  # type: ignore[misc]
    return stream


def prepare(program: Script) -> types.ModuleType:
    """Make this process look to the program as if Python had been started with it; return its module."""
    sys.argv[:] = program.argv or [program.path]
    sys.path.insert(0, os.getcwd() if program.module else os.path.dirname(os.path.abspath(program.path)))
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    names = {"__file__": program.path, "__builtins__": builtins, "__annotations__": {}, "__cached__": None}
    vars(main).update(names)
    if program.module:
        package = program.module.rpartition(".")[0]
        main.__package__, main.__spec__ = package, ModuleSpec(program.module, None, origin=program.path)
        if package:
            import_module(package)
    at_exit(_lent.__enter__)  # called after what the program registers, and before what they have
    return main


@dataclass(frozen=True, slots=True)
class ProgramEnd:
    """How a program ended: its error as `Type: text`, or None, and where in the output its traceback lies.

    `code` is the exit code.
    """

    error: str | None = None
    start: int = 0
    end: int = 0
    code: int = 0


def execute(program: Script, main: types.ModuleType) -> BaseException | None:
    """Run a program as the module `main`, to its end or to the error that is returned."""
    try:
        source = program.source if program.data is None else program.data
        exec(compile(source, program.path, "exec", dont_inherit=True), vars(main))
    except BaseException as error:
        return error.with_traceback(own_frames(error.__traceback__, program.path))
    return None


def conclude(error: BaseException | None, output: Output) -> ProgramEnd:
    """Print what ended a program, if anything did, as the interpreter would."""
    if error is None:
        return ProgramEnd()
    if issubclass(type(error), SystemExit):
        code = error.code  # type: ignore[attr-defined]
        if not (code is None or issubclass(type(code), int)):
            _quietly(print, code, file=sys.stderr)
            code = 1
        return ProgramEnd(error_line(error) if code else None, code=int(code or 0) & 0xFF)
    start = output.size()
    _complain(error)
    end = output.size()
    said = error_line(error, qualified=True, printed=output.read(start, end)).strip()
    return ProgramEnd(said, start, end, 130 if issubclass(type(error), KeyboardInterrupt) else 1)


def _complain(error: BaseException) -> None:
    kind, trace = type(error), error.__traceback__
    try:
        sys.excepthook(kind, error, trace)
    except BaseException:
        _quietly(report_error, kind, error, trace)


def _quietly(work: Callable[..., object], *arguments: object, **named: object) -> None:
    """Do what may fail, as the interpreter does at its end: nobody hears of it."""
    try:
        work(*arguments, **named)
    except BaseException:
        return


def own_frames(trace: types.TracebackType | None, path: str) -> types.TracebackType | None:
    """Drop the frames above the first of the program at `path`: what runs it has them, a script has none.

    Drop those at the end as well that note what the program does, in which an interrupt may have come.
    """
    while trace is not None and trace.tb_frame.f_code.co_filename != path:
        trace = trace.tb_next
    last = at = trace
    while at is not None:
        last = last if at.tb_frame.f_code.co_filename.startswith(NOTING) else at
        at = at.tb_next
    if last is not None and last.tb_next is not None:
        last.tb_next = None
    return trace


def finish(main: types.ModuleType) -> None:
    """Do what the interpreter does at its end: wait for threads, call `atexit`, let the objects die."""
    for step in (wait_for_threads, call_at_exit, _lent.__exit__):
        _quietly(step)
    _quietly(_let_die, main)
    for name in ("stdout", "stderr"):
        _quietly(lambda name=name: getattr(sys, name).flush())


def _let_die(main: types.ModuleType) -> None:
    if active_count() == 1:  # the interpreter would have frozen a daemon thread first
        for name in list(vars(main)):
            if name != "__builtins__":
                vars(main)[name] = None
        collect()
