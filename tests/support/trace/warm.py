"""Runs programs, watched or not, each in a fork of a process that has torch loaded."""

import ctypes
import gc
import os
import pickle
import shutil
import signal
import sys
import tempfile
import time
import traceback
from functools import lru_cache
from pathlib import Path

import torch

from weaver.execution.snippets.server import PARTS, learn
from weaver.execution.snippets.worker import preload
from weaver.execution.timer import Timer, family
from weaver.recording import compact
from weaver.recording.facts import Reader, aside, value_of
from weaver.recording.identity import Identity, Storages
from weaver.recording.limits import Limits
from weaver.recording.model import Trace
from weaver.recording.nodes import Nodes
from weaver.recording.program import Script, conclude, execute, finish, prepare, take_output
from weaver.recording.reach import Reach
from weaver.recording.record import Recording
from weaver.recording.torch_private import is_compiling

M_PERTURB = -6  # of glibc's mallopt
SECONDS = 60  # of processor time that a program may use


def forked(work):
    """Return what `work(folder)` returns in a fork of this process, in an empty folder that is its own."""
    preload_once()
    folder = tempfile.mkdtemp(prefix="weaver-trace-")  # no object that the fork, too, would clean up after
    child = os.fork()
    if child == 0:
        _work(work, folder)
    timer = Timer(SECONDS, lambda: family(child))
    while not os.waitpid(child, os.WNOHANG)[0]:
        if timer.look():
            os.kill(child, signal.SIGKILL)
        time.sleep(0.0005)
    found = Path(folder, "result")
    result = pickle.loads(found.read_bytes()) if found.exists() else None
    shutil.rmtree(folder)
    return result


def _work(work, folder):
    gc.freeze()  # a collection would look at, and so copy, all that the tests have in memory
    stderr = os.dup(2)
    try:
        os.setsid()
        sys.dont_write_bytecode = True
        os.chdir(folder)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        torch.manual_seed(0)  # what a program draws doesn't depend on the tests before it
        result = work(folder)
        Path("part").write_bytes(pickle.dumps(result))
        os.rename("part", "result")
    except BaseException:
        os.write(stderr, traceback.format_exc().encode())
    finally:
        os._exit(0)


_warm = False


def preload_once():
    global _warm
    if not _warm:
        preload()
        learn(PARTS)
        _warm = True


@lru_cache(maxsize=4)
def traced(path: str, source: str, limits: Limits = Limits()) -> tuple[Trace, int, float]:  # noqa: B008
    """Return the trace of a program, read from its compact form, that form, and the seconds it took."""

    def work(folder):
        began = time.perf_counter()
        recording = Recording(Script(path, source), limits, take_output("output").path)
        recording.run()
        recording.stop()
        return compact.write(recording.end()), time.perf_counter() - began

    text, seconds = forked(work) or (None, 0)
    return (compact.read(text) if text else None), text, seconds


def plain(path: str, source: str) -> tuple[str | None, str, float]:
    """Return the error of a plain run of a program, what it printed (without traceback), its seconds."""

    def work(folder):
        began = time.perf_counter()
        output = take_output("output")
        ended = _run(path, source, output)[1]
        finish(sys.modules["__main__"])
        seconds = time.perf_counter() - began
        printed = output.read(0, ended.start) + output.read(ended.end, output.size())
        return ended.error, printed, seconds

    return forked(work)


def _run(path, source, output):
    program = Script(path, source)
    main = prepare(program)
    return main, conclude(execute(program, main), output)


def left_by(path: str, source: str, stirred: int = 0) -> tuple[dict, str]:
    """Return what a plain run of a program leaves: the facts about its tensors, and what it printed.

    Memory that is freed is overwritten with the byte `stirred`, if it is not 0.
    """

    def work(folder):
        if stirred:
            ctypes.CDLL(None).mallopt(M_PERTURB, stirred)
        output = take_output("output")
        main, ended = _run(path, source, output)
        limits = Limits()
        size = ended.start if ended.end > ended.start else output.size()
        with aside():
            found, _ = Reach(vars(main), limits).find(vars(main))
            storages = Storages()
            graph = Nodes(limits.nodes, limits.elements, Identity(), storages)
            reader = Reader(graph.place, limits.elements, storages)
            facts = {name: reader.facts(tensor) for name, tensor in found.items()}
            told = {name: independent(tensor, facts[name].value) for name, tensor in found.items()}
        return told, output.read(0, size)

    return forked(work)


def gradients(path: str, source: str) -> list[dict[str, object]]:
    """Return, for each call of the engine in a plain run, what `torch.autograd.grad` gives for each tensor.

    They are asked by the names that lead to them then; None for one that the gradient does not reach.
    """

    def work(folder):
        output = take_output("output")
        found, engine, limits = [], torch.autograd._engine_run_backward, Limits()

        def run(roots, seeds, retain, create, inputs=(), *args, **kwargs):
            if is_compiling():
                return engine(roots, seeds, retain, create, inputs, *args, **kwargs)
            names = dict(vars(sys.modules["__main__"]))
            frame = sys._getframe()
            while frame is not None and frame.f_code.co_filename != path:
                frame = frame.f_back
            names |= frame.f_locals if frame else {}
            with aside():
                tensors = Reach(names, limits).find(names)[0]
            tensors = {name: one for name, one in tensors.items() if asks_for_one(one, name)}
            try:
                given = engine(roots, seeds, True, create, tuple(tensors.values()), allow_unreachable=True, accumulate_grad=False) if tensors else ()
            except RuntimeError:  # as the program is about to get it
                tensors, given = {}, ()
            with aside():
                found.append({name: value_of(one, limits.elements) for name, one in zip(tensors, given, strict=True)})
            return engine(roots, seeds, retain, create, inputs, *args, **kwargs)

        torch.autograd._engine_run_backward = run
        _run(path, source, output)
        return found

    return forked(work) or []


def asks_for_one(tensor, name):
    try:
        return tensor.requires_grad and not name.endswith(".grad") and (tensor.grad_fn is not None or tensor.is_leaf)
    except RuntimeError:  # a view that is lost
        return False


def independent(tensor: torch.Tensor, value) -> dict:
    """Return the facts about a tensor, asked of torch one by one; `value` as the trace tells it."""
    try:
        node = tensor.grad_fn
        version = None if tensor.is_inference() else tensor._version
    except RuntimeError:  # a view that is lost
        node = version = None
    try:
        storage = tensor.untyped_storage()._cdata
    except (RuntimeError, NotImplementedError):  # a sparse one has several, a lost view none that it tells
        storage = None
    kind = "nested " if tensor.is_nested else "sparse " if tensor.layout == torch.sparse_coo else ""
    return {
        "value": value,
        "shape": tuple(tensor.shape),
        "dtype": kind + str(tensor.dtype).removeprefix("torch."),
        "requires_grad": tensor.requires_grad,
        "is_leaf": node is None,
        "grad_fn": node and node.name().split("::")[-1],
        "version": version,
        "storage": storage,
    }
