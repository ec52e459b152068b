"""The warm server: has torch loaded, starts a process per snippet and watches it until it is gone.

Started by `run.Runner` as a process of its own. Reads jobs as lines of JSON from stdin; answers
each on stdout with Started and later Done; see `protocol`. Ends, with everything that it started, when its stdin closes.
"""

import gc
import importlib
import os
import selectors
import shutil
import sys
import time
import weakref
from collections import deque
from contextlib import suppress

import msgspec

from weaver.execution import answers, protocol
from weaver.execution.protocol import Done, Ended, Job, Report, Run, Started
from weaver.execution.refusals import OUTPUT_LIMIT
from weaver.execution.snippets import worker
from weaver.execution.snippets.supervision import Forked, Fresh, adopt_orphans, end_orphans

# Parts of torch that it loads when they are first used; an optimizer's takes as long as torch itself.
PARTS = (
    "torch",
    "torch._dynamo",
    "torch._functorch.apis",
    "torch.autograd.functional",
    "torch.autograd.gradcheck",
    "torch.func",
)
# What the processes that a program starts load, each for itself, and its own report does not tell
IN_CHILDREN = {"DistributedDataParallel": ["torch._dynamo"]}
TICK = 0.01  # seconds between two looks at processes that have no pidfd to wake us


class Server:
    """Runs jobs, `workers` at a time, each for at most `limit` seconds and in a folder under `scratch`.

    `fork` says whether a job is a fork of this process or a fresh interpreter; the results are
    the same, and the fork is a hundred times faster.
    """

    def __init__(self, jobs: int, answers: int, scratch: str, workers: int, limit: float, fork: bool):
        self.jobs, self.answers = jobs, answers  # file descriptors
        self.workers, self.limit, self.fork = workers, limit, fork
        self.scratch = os.path.realpath(scratch)
        self.waiting = deque()
        self.running = {}  # number -> (process, deadline, job)
        self.asked = set()  # numbers of jobs that had time for their queries on top
        self.runs = {}  # number -> the runs so far of a job of which further ones are to come

    def serve(self):
        """Serve until the jobs' pipe closes."""
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.jobs, selectors.EVENT_READ)
        rest, data = b"", None
        try:
            while data != b"":
                ready = {key.fd for key, _ in self.selector.select(self._patience())}
                if self.jobs in ready:
                    data = os.read(self.jobs, 1 << 20)
                    *lines, rest = (rest + data).split(b"\n")
                    self.waiting.extend(protocol.read(line, Job) for line in lines)
                self._collect()
                while self.waiting and len(self.running) < self.workers:
                    self._start(self.waiting.popleft())
        finally:
            for process, *_ in self.running.values():
                process.end()
            end_orphans()
            shutil.rmtree(self.scratch, ignore_errors=True)

    def _patience(self):
        """Return how long to wait for news: until the next deadline, for ever if nothing runs."""
        if not self.running:
            return None
        next_deadline = min(deadline for _, deadline, _ in self.running.values())
        return max(0, min(next_deadline - time.monotonic(), 60 if self.fork else TICK))

    def _answer(self, message):
        data = protocol.write(message) + b"\n"
        while data:
            data = data[os.write(self.answers, data) :]

    def _start(self, job):
        folder = os.path.join(self.scratch, str(job.number))
        job = msgspec.structs.replace(job, folder=folder)
        os.mkdir(folder)
        self._answer(Started(job.number))
        if self.fork:
            for word, parts in IN_CHILDREN.items():
                if word in job.source:
                    learn(parts)
            process = Forked(lambda: worker.run(job), job.number, folder)
            self.selector.register(process.pidfd, selectors.EVENT_READ)
        else:
            job_file = os.path.join(folder, "job.json")
            with open(job_file, "wb") as file:
                file.write(protocol.write(job))
            process = Fresh(job_file, job.number, folder)
        self.running[job.number] = process, time.monotonic() + self.limit, job

    def _collect(self):
        """Answer for the jobs whose process has ended or is late."""
        for number, (process, deadline, job) in list(self.running.items()):
            code = process.poll()
            if code is not None or time.monotonic() >= deadline:
                if code is None and self._is_asked(number):
                    continue
                del self.running[number]
                self._finish(job, process, code)

    def _is_asked(self, number):
        """Tell whether a program has come to its end in time, and is asked now: give it time for that, once."""
        process, _, job = self.running[number]
        if number in self.asked or not os.path.exists(os.path.join(process.folder, "report.json")):
            return False
        self.asked.add(number)
        patience = self.limit + answers.LEAST * (len(job.queries) + 1)
        self.running[number] = process, time.monotonic() + patience, job
        return True

    def _finish(self, job, process, code):
        """Answer for a job; if its queries ask for further modes, only after a run in each."""
        self.asked.discard(job.number)
        run = msgspec.structs.replace(self._run(process, code, job), mode=job.mode)
        runs = [*self.runs.pop(job.number, ()), run]
        begun = {one.mode for one in runs}
        modes = sorted({query.mode for query in job.queries} - begun) if runs[0].report else ()
        if modes:
            self.runs[job.number] = runs
            self.waiting.appendleft(msgspec.structs.replace(job, mode=modes[0]))
            return
        self._answer(Done(job.number, msgspec.structs.replace(runs[0], again=tuple(runs[1:]))))

    def _run(self, process, code, job):
        """Return what came of a process that has ended with `code`, or is late and is ended now."""
        if process.pidfd is not None:
            self.selector.unregister(process.pidfd)
        left = process.end()
        output, report = _read(os.path.join(process.folder, "output")), None
        with suppress(ValueError):  # it did not live to write a report, or broke what writes it
            written = _read(os.path.join(process.folder, "report.json"), worker.FILE_LIMIT)
            report = protocol.read(written, Report)
        shutil.rmtree(process.folder, ignore_errors=True)
        if self.fork and report:
            learn(report.imported)
        if report and report.answers is None:  # the program had ended: what a page asks of it did this
            asked = [query for query in job.queries if query.mode is job.mode]
            given = tuple(answers.unanswered(query, self.limit, code is None) for query in asked)
            return Run(Ended.EXITED, report.exit, output, msgspec.structs.replace(report, answers=given))
        if code is None:
            return Run(Ended.LATE, output=output)
        ended = Ended.SIGNALLED if code < 0 else Ended.EXITED
        return Run(ended, abs(code), output, report, left)


def learn(modules):
    """Import the slow parts of torch that a snippet had to load, so that the next ones need not.

    Only what loads in silence and changes nothing: a program that does not import it cannot tell.
    """
    parts = [name for name in PARTS if name in modules]
    for name in parts:
        importlib.import_module(name)
    if parts:
        for finaliser in weakref.finalize._registry:  # torch's own: they print nothing and take their time
            finaliser.atexit = False
        gc.collect()
        gc.freeze()


def _read(path, limit=OUTPUT_LIMIT + 1):
    """Return at most `limit` bytes of the file at `path`; none if there is no such file."""
    try:
        with open(path, "rb") as file:
            return file.read(limit)
    except OSError:
        return b""


def main(scratch: str, workers: str, limit: str, fork: str) -> None:
    """Serve on stdin and stdout, which are kept out of the programs' reach."""
    jobs, answers = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    adopt_orphans()
    if fork == "fork":
        worker.preload()
        learn(["torch"])
    server = Server(jobs, answers, scratch, int(workers), float(limit), fork == "fork")
    with suppress(BrokenPipeError):  # who asked is gone
        server.serve()


if __name__ == "__main__":
    main(*sys.argv[1:])
    os._exit(0)  # the interpreter's own end, with torch loaded, takes a tenth of a second
