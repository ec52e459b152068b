"""A process that has loaded torch and answers as a fresh `python -u -` would: by a fork for each program.

Each fork reads its program from stdin through the same function of CPython as `python -` does, and so
gives it the same name, `<stdin>`, and no source to quote. Started with `-u`; reads from stdin lines of
JSON, `[program, folder, file for the output]`, and answers each with an empty line when it has run.
"""

import atexit
import builtins
import ctypes
import gc
import importlib
import json
import os
import sys
import threading
import types
import weakref

import torch

LOADED = ("numpy.random", "torch._dynamo", "torch.func", "torch.autograd.gradcheck")  # slow to load


def load() -> None:
    """Load what programs need, on one thread: others would not survive a fork."""
    torch.set_num_threads(1)
    for name in LOADED:
        importlib.import_module(name)
    x = torch.ones(2, requires_grad=True)
    (x * x).sum().backward()
    repr(x.grad)
    for finaliser in weakref.finalize._registry:  # torch's own: they print nothing and take their time
        finaliser.atexit = False
    gc.collect()
    gc.freeze()


def run(program: str, folder: str, output: str) -> None:
    """Be the interpreter into which `program` is pasted, in `folder`; end with it."""
    os.chdir(folder)
    os.dup2(os.memfd_create("program"), 0)
    os.write(0, program.encode())
    os.lseek(0, 0, os.SEEK_SET)
    written = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(written, 1)
    os.dup2(written, 2)
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__dict__.update(__builtins__=builtins, __annotations__={})
    sys.argv[:], sys.path[0] = ["-"], ""
    read = ctypes.pythonapi.PyRun_AnyFileExFlags  # what `python -` calls
    read.argtypes = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p
    read(ctypes.c_void_p.in_dll(ctypes.CDLL(None), "stdin"), b"<stdin>", 0, None)
    threading._shutdown()
    atexit._run_exitfuncs()
    os._exit(0)


if __name__ == "__main__":
    load()
    jobs = os.fdopen(os.dup(0))
    for line in iter(jobs.readline, ""):
        if not (child := os.fork()):
            jobs.detach()
            run(*json.loads(line))
        os.waitpid(child, 0)
        print(flush=True)
