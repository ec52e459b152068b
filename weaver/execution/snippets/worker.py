"""One snippet, executed as `python -u file.py` would, in a process that ends with it."""

import atexit
import builtins
import gc
import importlib
import os
import sys
import threading
import traceback
import types
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from itertools import islice, takewhile
from typing import TYPE_CHECKING

import msgspec

from weaver.execution import answers, launch, protocol
from weaver.execution.elsewhere import world
from weaver.execution.generators import Generators
from weaver.execution.protocol import Answer, Job, Kind, Mode, Raised, Report, Write
from weaver.execution.snippets.output import stream, unheard
from weaver.execution.snippets.supervision import adopt_orphans
from weaver.recording.program import own_frames

if TYPE_CHECKING:
    from weaver.execution.snippets.traced import Traced  # which needs torch


def preload() -> None:
    """Import torch, if it's installed, on one thread and use it once, so that a forked child need not.

    One thread, because a pool of them does not survive a fork; the first backward and the
    first printed tensor import and allocate what every snippet needs.
    """
    importlib.import_module("numpy.random")  # which NumPy itself loads only when it is used
    if not launch.has_torch():
        return
    import torch

    torch.set_num_threads(1)
    for watch in (nullcontext(), _traced().warming()):
        with watch:
            x = torch.ones(2, requires_grad=True)
            (x * x).sum().backward()
            repr(x.grad)


def run(job: Job) -> int:
    """Execute the program that `job` describes and write its report; return the exit code.

    The process must be fresh: forked from one that only called `preload`, or started for this. stdout
    and stderr go to `output` in the job's folder, in the order of the writes; the report goes to
    `report.json`, once before pages ask, so that what an expression does is not the program's doing,
    and again last of all; a program that was cut off has none.
    """
    program, folder = job.path, job.folder
    work = os.path.join(folder, "work")
    os.mkdir(work)
    os.chdir(work)
    null = os.open(os.devnull, os.O_RDONLY)
    output = os.open(os.path.join(folder, "output"), os.O_RDWR | os.O_CREAT | os.O_APPEND)
    os.dup2(null, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.closerange(3, 1 << 16)
    launch.limit_files()

    writes: list[Write] = []
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout, sys.stderr = stream(1, "out", program, writes), stream(2, "err", program, writes)
    vars(sys).update(__stdin__=sys.stdin, __stdout__=sys.stdout, __stderr__=sys.stderr)
    for name in job.hidden:  # what the server was started with
        os.environ.pop(name, None)
    sys.dont_write_bytecode = True
    sys.argv[:] = [program]
    sys.path.insert(0, os.path.dirname(program))
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__dict__.update(__file__=program, __builtins__=builtins, __annotations__={}, __cached__=None)
    generators = Generators(job.seed)
    _walk_only_the_program()
    loaded = len(sys.modules)

    process = os.getpid()
    watch = _watch(job, main)
    with watch or nullcontext(), world(job.seed):
        raised, code = _execute(main, job.source, program, writes)
    vars(threading)["_shutdown"]()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()

    if os.getpid() != process:  # a copy that the program forked, and that came to the end as well
        return code
    names, imported = public(main), _imported(loaded)
    report = Report(
        folder=folder,
        exit=code,
        raised=raised,
        names=tuple(names),
        answers=None,
        writes=tuple(writes),
        unseeded=tuple(generators.drawn_from()),
        siblings=tuple(_beside(os.path.dirname(program), imported)),
        imported=tuple(name for name in imported if name.startswith("torch.")),
        files=tuple(sorted(os.listdir(work))),
    )
    given: tuple[Answer, ...] = ()
    if job.asked():
        _write(report, folder)
        with unheard(writes):
            adopt_orphans()
            asked = job.asked(Kind.TEXT, Kind.DATA, Kind.MEMORY)
            given = answers.answer(asked, vars(main), job.limit, job.fork, generators.drawn_from)
            if watch and (graphs := job.asked(Kind.GRAPH)):
                ways: answers.Ways = {Kind.GRAPH: watch.graph}
                given += answers.answer(graphs, vars(main), job.limit, job.fork, ways=ways)
    _finalise(main)
    if watch and (traces := job.asked(Kind.TRACE, Kind.WHY)):  # what dying objects print is part of it
        ended = _ended(raised, writes)
        ways = {
            Kind.TRACE: lambda *_: watch.text(*ended),
            Kind.WHY: lambda *_: watch.text(*ended, has_acts=True),
        }
        with unheard(writes):
            given += answers.answer(traces, {}, job.limit, job.fork, ways=ways)
    files = tuple(sorted(os.listdir(work)))
    _write(msgspec.structs.replace(report, answers=given, writes=tuple(writes), files=files), folder)
    return code


def _write(report: Report, folder: str) -> None:
    """Put the report in its place, whole."""
    part = os.path.join(folder, "report.part")
    with open(part, "wb") as file:
        file.write(protocol.write(report))
    os.rename(part, os.path.join(folder, "report.json"))


def _execute(
    main: types.ModuleType, source: str, program: str, writes: list[Write]
) -> tuple[Raised | None, int]:
    """Run the program; return what it raised (type, text, line) or None, and its exit code."""
    try:
        exec(compile(source, program, "exec", dont_inherit=True), main.__dict__)
    except SystemExit as error:
        code = error.code
        if not (code is None or isinstance(code, int)):
            print(code, file=sys.stderr)
            code = 1
        return _raised(error, own_frames(error.__traceback__, program), program), code or 0
    except BaseException as error:
        trace = own_frames(error.__traceback__, program)
        raised = _raised(error, trace, program)
        start = os.fstat(1).st_size
        count = len(writes)
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        del writes[count:]
        writes.append(Write(start, os.fstat(1).st_size, raised.line, "traceback"))
        return raised, 1
    return None, 0


def _walk_only_the_program() -> None:
    """Let a printed stack begin with the program's first frame, as a script's does; leave out ours.

    Anomaly mode prints the stack of the operation, and with it the frames that lead to the program.
    """
    whole = traceback.walk_stack

    def walk(f: types.FrameType | None) -> Iterator[tuple[types.FrameType, int]]:
        if f is None:
            return whole(None)
        frames = takewhile(lambda one: one[0].f_code is not _execute.__code__, whole(f))
        return (one for one in frames if not one[0].f_globals.get("__name__", "").startswith("weaver."))

    traceback.walk_stack = walk


def _raised(error: BaseException, trace: types.TracebackType | None, program: str) -> Raised:
    """Return the error's class name, the end of its traceback as Python prints it, and its line."""
    text = traceback.format_exception_only(type(error), error)
    lines = [number for frame, number in traceback.walk_tb(trace) if frame.f_code.co_filename == program]
    if isinstance(error, SyntaxError):
        text, lines = text[-1:], lines or [error.lineno or 0]
    return Raised(type(error).__name__, "".join(text), lines[-1] if lines else None)


def _imported(count: int) -> dict[str, types.ModuleType]:
    """Return the modules that were imported since there were `count`, newest first.

    The others are not even looked at: a glance writes to memory that is shared with the server.
    """
    return dict(islice(reversed(sys.modules.items()), max(0, len(sys.modules) - count)))


def _beside(folder: str, modules: Mapping[str, types.ModuleType]) -> list[str]:
    """Return the names of the modules that come from the program's own folder."""
    files = {name: getattr(module, "__file__", None) for name, module in modules.items()}
    return [name for name, file in files.items() if file and os.path.dirname(file) == folder]


def public(main: types.ModuleType) -> list[str]:
    """Return the names that the program gave to things."""
    return sorted(name for name in vars(main) if not name.startswith("_"))


def _watch(job: Job, main: types.ModuleType) -> "Traced | None":
    """Return what watches the program, if anything does."""
    if Mode.WATCHED not in job.modes:
        return None
    output = os.path.join(job.folder, "output")
    asked = bool(job.asked(Kind.GRAPH)), bool(job.asked(Kind.WHY))
    watch: Traced = _traced().Traced(job.path, job.source, main, output, *asked)
    return watch


def _ended(raised: Raised | None, writes: Iterable[Write]) -> tuple[str | None, int, int]:
    """Return what ended the program, `Type: text` or None, and where its traceback lies in the output."""
    span = next(((write.start, write.end) for write in writes if write.kind == "traceback"), (0, 0))
    return raised.text.strip() if raised else None, *span


def _traced() -> types.ModuleType:
    from weaver.execution.snippets import traced  # when torch is there

    return traced


def _finalise(main: types.ModuleType) -> None:
    """Let the program's objects die while stdout still works, as the interpreter's end does.

    Not beside a daemon thread, which the interpreter would have frozen first.
    """
    if threading.active_count() > 1:
        return
    namespace = vars(main)
    for private in (True, False):
        for name in list(namespace):
            if name != "__builtins__" and (name[0] == "_" and name[1:2] != "_") == private:
                namespace[name] = None
    gc.collect()
    sys.stdout.flush()


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as job_file:
        job = protocol.read(job_file.read(), Job)
    preload()
    os._exit(run(job))
