"""Run programs with the interpreter that runs this file, which has torch and nothing of ours.

It loads torch once and forks a process per program. Each line of stdin is a program as JSON: its `path`, its
`source`, and an empty `folder`. What it writes goes to `output` in that folder, in the order of the writes;
an error that ends it leaves only the end of its traceback. Each line of stdout answers with what
`os.waitpid` said; the first one is torch's version. It works from Python 3.8 and torch 1.13 on, under Linux.
"""

from __future__ import annotations

import atexit
import builtins
import ctypes
import gc
import importlib
import io
import json
import os
import random
import resource
import signal
import sys
import threading
import traceback
import types
import warnings
from contextlib import suppress
from itertools import takewhile
from typing import Any

# What takes torch long to load: a program finds it loaded, unless that gives a warning
PARTS = (
    "torch.fx.experimental.symbolic_shapes",
    "torch._dynamo",
    "torch._decomp.decompositions_for_jvp",
    "torch._functorch.apis",
    "torch.func",
    "functorch",
    "torch.autograd.functional",
    "torch.autograd.gradcheck",
    "numpy.random",
)
SEED = 0x5EED0F0A  # the one with which the site's build runs what draws unseeded
FILE_LIMIT = 64 << 20  # bytes of the largest file that a program may write
HIDDEN = ("OPENBLAS_NUM_THREADS", "PYTHONHASHSEED")  # how this was started, which programs don't see
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
PRCTL = ctypes.CDLL(None).prctl


def load() -> str:
    """Load torch on one thread, use it once, and return its version."""
    import torch

    torch.set_num_threads(1)
    for part in PARTS:
        if _loads_in_silence(part):
            importlib.import_module(part)
    x = torch.ones(2, requires_grad=True)
    (x * x).sum().backward()
    repr(x.grad)
    gc.collect()
    gc.freeze()
    return str(torch.__version__)


def _loads_in_silence(part: str) -> bool:
    """Tell, by doing it in a process of its own, whether a part is there and loads without a warning."""
    pid = os.fork()
    if pid == 0:
        code = 1
        with warnings.catch_warnings(record=True) as told, suppress(BaseException):
            importlib.import_module(part)
            code = int(bool(told))
        os._exit(code)
    return os.waitpid(pid, 0)[1] == 0


def answer(path: str, source: str, folder: str) -> int:
    """Run a program in a process of its own; end it and all that it started; return its wait status."""
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            PRCTL(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            run(path, source, folder)
        finally:
            os._exit(0)
    status = os.waitpid(pid, 0)[1]
    while children := _children():
        for child in children:
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
    return status


def run(path: str, source: str, folder: str) -> None:
    """Run a program in this process, as `python -u file.py` would."""
    os.makedirs(os.path.join(folder, "work"))
    os.chdir(os.path.join(folder, "work"))
    output = os.open(os.path.join(folder, "output"), os.O_RDWR | os.O_CREAT | os.O_APPEND)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.closerange(3, 1 << 16)
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_LIMIT, FILE_LIMIT))
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = _stream(1, "strict")
    sys.stderr = _stream(2, "backslashreplace")
    vars(sys).update(__stdin__=sys.stdin, __stdout__=sys.stdout, __stderr__=sys.stderr)
    for name in HIDDEN:
        os.environ.pop(name, None)
    sys.dont_write_bytecode = True
    sys.argv[:] = [path]
    sys.path.insert(0, os.path.dirname(path))
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__dict__.update(__file__=path, __builtins__=builtins, __annotations__={}, __cached__=None)
    _seed()
    _walk_only_the_program()
    _execute(main, source, path)
    vars(threading)["_shutdown"]()
    atexit._run_exitfuncs()
    if threading.active_count() == 1:  # what dying objects print is part of it
        names = [name for name in vars(main) if name != "__builtins__"]
        for name in sorted(names, key=lambda name: not (name[0] == "_" and name[1:2] != "_")):
            vars(main)[name] = None
        gc.collect()


def _stream(descriptor: int, errors: str) -> io.TextIOWrapper:
    raw = io.FileIO(descriptor, "w", closefd=False)
    return io.TextIOWrapper(raw, "utf-8", errors, newline="\n", write_through=True)


def _seed() -> None:
    random.seed(SEED)
    sys.modules["torch"].default_generator.manual_seed(SEED)
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed(SEED)


def _execute(main: types.ModuleType, source: str, path: str) -> None:
    try:
        exec(compile(source, path, "exec", dont_inherit=True), main.__dict__)
    except SystemExit as error:
        if not (error.code is None or isinstance(error.code, int)):
            print(error.code, file=sys.stderr)
    except BaseException as error:
        lines = traceback.format_exception_only(type(error), error)
        text = "".join(lines[-1:] if isinstance(error, SyntaxError) else lines)
        size = os.fstat(1).st_size
        if size and os.pread(1, 1, size - 1) != b"\n":  # a line that the error cut short
            os.write(1, b"\n")
        os.write(1, text.encode("utf-8", "replace"))


def _walk_only_the_program() -> None:
    """Let a printed stack begin with the program's first frame, as a script's does."""
    whole = traceback.walk_stack

    def walk(f: types.FrameType | None) -> Any:
        frames = whole(f)
        return frames if f is None else takewhile(lambda one: one[0].f_code is not _execute.__code__, frames)

    traceback.walk_stack = walk


def _children() -> list[int]:
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return [int(pid) for pid in file.read().split()]


def main() -> None:
    """Answer until stdin ends; stdin and stdout are kept out of the programs' reach."""
    jobs, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.dup(1)
    os.dup2(2, 1)
    del sys.path[0]  # this file's folder, which holds nothing for others
    PRCTL(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    os.write(answers, json.dumps(load()).encode() + b"\n")
    for line in jobs:
        os.write(answers, json.dumps(answer(**json.loads(line))).encode() + b"\n")


if __name__ == "__main__":
    main()
    os._exit(0)
