"""The warm server: has torch loaded, starts a process per snippet and watches it until it is gone.

Started by `runner.Runner` as a process of its own. Reads jobs as lines of JSON from stdin, and answers each
on stdout with Started and later Done: see `protocol`. Ends, with everything that it started, when its stdin
closes.
"""

import ctypes
import gc
import importlib
import os
import re
import selectors
import shutil
import sys
import weakref
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from heapq import heappop, heappush

import msgspec

from weaver.execution import answers, launch, protocol
from weaver.execution.protocol import Done, Ended, Job, Report, Run, Started
from weaver.execution.refusals import OUTPUT_LIMIT
from weaver.execution.snippets import worker
from weaver.execution.snippets.supervision import Forked, Fresh, Process, adopt_orphans, end_orphans
from weaver.execution.timer import TICK, Over, Timer

# Parts of torch that it loads when they are first used
PARTS = (
    "torch._decomp.decompositions_for_jvp",
    "torch._dynamo",
    "torch._functorch.apis",
    "torch.autograd.functional",
    "torch.autograd.gradcheck",
    "torch.func",
)
# Those that take as long as torch itself, and what in a program's text tells that it, or a process that it
# starts, loads them. What texts don't tell, reports do: what two programs have loaded, the next finds.
SLOW = {
    "torch.fx.experimental.symbolic_shapes": re.compile(
        r"backward\((?!\)|create_graph|inputs|retain_graph)|gradcheck|grad_outputs"
        r"|is_grads_batched|import jacobian"
    ),
    "torch._dynamo": re.compile(
        r"optim\b|torch\.func\b|checkpoint\b|(Dispatch|FlopCounter)Mode|DistributedDataParallel|torch\.compile\b"
        r"|huber_loss"
    ),
    "torch._decomp.decompositions_for_jvp": re.compile(r"\bjvp\b|forward_ad|jacfwd|hessian"),
    "torch._inductor.pattern_matcher": re.compile(r"torch\.compile\b"),
}
HUGE, MADV_COLLAPSE = 2 << 20, 25  # bytes of a huge page; what Linux calls collecting memory into them
UNWAKED = 0.01  # seconds between two looks at processes that have no pidfd to wake us


@dataclass
class Running:
    """A job that runs. It has no timer until the program begins, and another while it is asked."""

    job: Job
    process: Process
    timer: Timer | None = None
    is_asked: bool = False


class Server:
    """Runs jobs under `scratch`, `workers` at a time, each with `limit` seconds of processor time.

    `fork` says whether a job is a fork of this process or a fresh interpreter; the results are
    the same, and the fork is a hundred times faster.
    """

    def __init__(self, jobs: int, answers: int, scratch: str, workers: int, limit: float, fork: bool):
        self.jobs, self.answers = jobs, answers  # file descriptors
        self.workers, self.limit, self.fork = workers, limit, fork
        self.scratch = os.path.realpath(scratch)
        self.waiting: list[tuple[int, int, Job]] = []  # a heap: by what they load, then in order
        self.running: dict[int, Running] = {}
        self.untold: set[str] = set()  # what programs have loaded though nothing in their texts told
        self.runs: dict[int, list[Run]] = {}  # so far, of jobs of which further ones are to come
        self.selector = selectors.DefaultSelector()

    def serve(self) -> None:
        """Serve until the jobs' pipe closes."""
        self.selector.register(self.jobs, selectors.EVENT_READ)
        rest, data = b"", b"\n"
        try:
            while data:
                ready = {key.fd for key, _ in self.selector.select(self._patience())}
                if self.jobs in ready:
                    data = os.read(self.jobs, 1 << 20)
                    *lines, rest = (rest + data).split(b"\n")
                    for line in lines:
                        self._enqueue(protocol.read(line, Job))
                self._collect()
                while self.waiting and len(self.running) < self.workers:
                    self._start(heappop(self.waiting)[-1])
        finally:
            for running in self.running.values():
                running.process.end()
            end_orphans()
            shutil.rmtree(self.scratch, ignore_errors=True)

    def _enqueue(self, job: Job) -> None:
        """Have a job run when all others have that load less: a process with less in it forks faster."""
        loads = sum(1 << at for at, part in enumerate(SLOW) if part in slow_parts(job.source))
        heappush(self.waiting, (loads if self.fork else 0, job.number, job))

    def _patience(self) -> float | None:
        """Return how long to wait for news: until the timers look again, for ever if nothing runs."""
        if not self.running:
            return None
        return TICK if self.fork else UNWAKED

    def _answer(self, message: Started | Done) -> None:
        data = protocol.write(message) + b"\n"
        while data:
            data = data[os.write(self.answers, data) :]

    def _start(self, job: Job) -> None:
        folder = os.path.join(self.scratch, str(job.number))
        job = msgspec.structs.replace(job, folder=folder)
        os.makedirs(folder)  # what holds it may be gone: the cache was removed, or its owner was killed
        self._answer(Started(job.number))
        if self.fork:
            learn(slow_parts(job.source))
            process: Process = Forked(lambda: worker.run(job), job.number, folder)
        else:
            job_file = os.path.join(folder, "job.json")
            with open(job_file, "wb") as file:
                file.write(protocol.write(job))
            process = Fresh(job_file, job.number, folder)
        if process.pidfd is not None:
            self.selector.register(process.pidfd, selectors.EVENT_READ)
        self.running[job.number] = Running(job, process)

    def _collect(self) -> None:
        """Answer for the jobs whose process has ended, or whose time is over."""
        for number, running in list(self.running.items()):
            code = running.process.poll()
            over = self._over(running) if code is None else None
            if code is not None or over:
                del self.running[number]
                self._finish(running.job, running.process, code, over)

    def _over(self, running: Running) -> Over | None:
        """Return why a job's time is over, or None. Loading torch before the program begins doesn't count."""
        process = running.process
        if running.timer is None:
            if self.fork or os.path.exists(os.path.join(process.folder, "output")):
                running.timer = Timer(self.limit, process.family)
            return None
        over = running.timer.look()
        if over and not running.is_asked and os.path.exists(os.path.join(process.folder, "report.json")):
            running.is_asked = True  # it came to its end; a fork that it asks is stopped by itself
            limit = answers.allowance(self.limit, len(running.job.queries)) if self.fork else self.limit
            running.timer = Timer(limit, process.family)
            return None
        return over

    def _finish(self, job: Job, process: Process, code: int | None, over: Over | None) -> None:
        """Answer for a job; if its queries ask for further modes, only after a run in each."""
        run = msgspec.structs.replace(self._run(process, code, over, job), modes=job.modes)
        runs = [*self.runs.pop(job.number, ()), run]
        begun = {mode for one in runs for mode in one.modes}
        modes = sorted({query.mode for query in job.queries} - begun) if runs[0].report else ()
        if modes:
            self.runs[job.number] = runs
            self._enqueue(msgspec.structs.replace(job, modes=(modes[0],)))
            return
        self._answer(Done(job.number, msgspec.structs.replace(runs[0], again=tuple(runs[1:]))))

    def _run(self, process: Process, code: int | None, over: Over | None, job: Job) -> Run:
        """Return what came of a process that ended with `code`, or ends now because its time is `over`."""
        if process.pidfd is not None:
            self.selector.unregister(process.pidfd)
        left = process.end()
        output, report = _read(os.path.join(process.folder, "output")), None
        with suppress(ValueError):  # it did not live to write a report, or broke what writes it
            written = _read(os.path.join(process.folder, "report.json"), launch.FILE_LIMIT)
            report = protocol.read(written, Report)
        shutil.rmtree(process.folder, ignore_errors=True)
        if self.fork and report:
            learn(self.untold.intersection(report.imported))
            self.untold.update(report.imported)
        if report and report.answers is None:  # the program had ended: what a page asks of it did this
            given = tuple(answers.unanswered(query, self.limit, over) for query in job.asked())
            report = msgspec.structs.replace(report, answers=given)
            return Run(Ended.EXITED, code=report.exit, output=output, report=report)
        if over:
            return Run(Ended.LATE, over, output=output)
        code = code or 0
        ended = Ended.SIGNALLED if code < 0 else Ended.EXITED
        return Run(ended, code=abs(code), output=output, report=report, left_processes=left)


def slow_parts(source: str) -> list[str]:
    """Return the slow parts of torch that a program loads, as its text tells."""
    return [part for part, words in SLOW.items() if words.search(source)]


def learn(modules: Collection[str]) -> None:
    """Import the slow parts of torch that a snippet loads, so that the next ones need not.

    Only what loads in silence and changes nothing: a program that does not import it cannot tell.
    """
    parts = [name for name in (*SLOW, *PARTS) if name in modules and name not in sys.modules]
    for name in parts if "torch" in sys.modules else ():
        with suppress(ImportError):  # another version of torch
            importlib.import_module(name)
    if parts:
        _settle()


def _settle() -> None:
    """Leave what is loaded as it is from now on, where a fork shares it at the least cost."""
    vars(weakref.finalize)["_registry"].clear()  # torch's, for the interpreter's end: they print nothing
    gc.collect()
    gc.freeze()
    _use_huge_pages()


def _use_huge_pages() -> None:
    """Move this process's memory into pages of 2 MiB: a fork copies the table of fewer pages.

    A system that can't, such as Linux before 6.1, leaves it as it is.
    """
    madvise = ctypes.CDLL(None).madvise
    madvise.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    with open("/proc/self/maps") as maps:
        held = [line.split() for line in maps]
    for span, rights, _, _, _, *path in held:
        start, end = (int(address, 16) for address in span.split("-"))
        first, last = -(-start // HUGE) * HUGE, end // HUGE * HUGE
        if rights == "rw-p" and path in ([], ["[heap]"]) and first < last:
            madvise(first, last - first, MADV_COLLAPSE)


def _read(path: str, limit: int = OUTPUT_LIMIT + 1) -> bytes:
    """Return at most `limit` bytes of the file at `path`; none if there is no such file."""
    try:
        with open(path, "rb") as file:
            return file.read(min(limit, os.fstat(file.fileno()).st_size))  # which takes no more memory
    except OSError:
        return b""


def main(scratch: str, workers: str, limit: str, fork: str) -> None:
    """Serve on stdin and stdout, which are kept out of the programs' reach."""
    jobs, answers = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    adopt_orphans()
    if fork == "fork":
        worker.preload()
        if launch.has_torch():
            _settle()
    server = Server(jobs, answers, scratch, int(workers), float(limit), fork == "fork")
    with suppress(BrokenPipeError):  # who asked is gone
        server.serve()


if __name__ == "__main__":
    main(*sys.argv[1:])
    os._exit(0)  # the interpreter's own end, with torch loaded, takes a tenth of a second
