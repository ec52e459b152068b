"""Runs a program as `python -u FILE` would, watched or not, with all that it prints in one file."""

import atexit
import builtins
import gc
import io
import os
import sys
import threading
import tokenize
import traceback
import types
from dataclasses import dataclass
from pathlib import Path

OUTPUT_LIMIT = 64 << 20  # bytes that a program may print


@dataclass(frozen=True, slots=True)
class Program:
    """A program's file, the text that is run for it, and its arguments."""

    path: str
    source: str
    arguments: tuple[str, ...] = ()


def read_source(path: str) -> str:
    """Return the text of a program's file; what no encoding has that Python would take is marked as lost."""
    try:
        with tokenize.open(path) as file:
            return file.read()
    except (SyntaxError, UnicodeDecodeError):
        return Path(path).read_bytes().decode("utf-8", "replace")


def take_output(path: str) -> int:
    """Send stdout and stderr, from here on, to the file at `path`; return its descriptor."""
    output = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC, 0o600)
    for descriptor in (1, 2):
        os.dup2(output, descriptor)
    sys.stdout = sys.__stdout__ = _text(1, "strict")
    sys.stderr = sys.__stderr__ = _text(2, "backslashreplace")
    return output


def _text(descriptor, errors):
    raw = io.FileIO(descriptor, "w", closefd=False)
    stream = io.TextIOWrapper(raw, "utf-8", errors, newline="\n", write_through=True)
    stream.mode = "w"
    return stream


def prepare(program: Program) -> types.ModuleType:
    """Make this process look to the program as if Python had been started with it; return its module."""
    sys.argv[:] = [program.path, *program.arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(program.path)))
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    names = {"__file__": program.path, "__builtins__": builtins, "__annotations__": {}, "__cached__": None}
    vars(main).update(names)
    return main


@dataclass(frozen=True, slots=True)
class End:
    """How a program ended: its error as `Type: text`, or None, and where in the output its traceback lies."""

    error: str | None = None
    start: int = 0
    end: int = 0


def execute(program: Program, main: types.ModuleType, code) -> End:
    """Run compiled code as the module `main`, to its end or its error."""
    try:
        exec(code, vars(main))
    except SystemExit as error:
        if not (error.code is None or isinstance(error.code, int)):
            print(error.code, file=sys.stderr)
        return End(f"SystemExit: {error.code}" if error.code else None)
    except BaseException as error:
        trace = own_frames(error.__traceback__, program.path)
        text = traceback.format_exception_only(type(error), error)[-1].strip()
        start = os.fstat(1).st_size
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        return End(text, start, os.fstat(1).st_size)
    return End()


def own_frames(trace: types.TracebackType | None, path: str) -> types.TracebackType | None:
    """Drop the frames above the first of the program at `path`: what runs it has them, a script has none."""
    while trace is not None and trace.tb_frame.f_code.co_filename != path:
        trace = trace.tb_next
    return trace


def finish(main: types.ModuleType) -> None:
    """Do what the interpreter does at its end: wait for threads, call `atexit`, let the objects die."""
    threading._shutdown()
    atexit._run_exitfuncs()
    if threading.active_count() == 1:  # the interpreter would have frozen a daemon thread first
        for name in list(vars(main)):
            if name != "__builtins__":
                vars(main)[name] = None
        gc.collect()
    sys.stdout.flush()
    sys.stderr.flush()
