"""Labs -> outcomes: what the cache has, and what a process with a kernel gives for each of the others."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock

from weaver.execution import launch, protocol
from weaver.execution.cache import Cache, key
from weaver.execution.contract import OnProgress
from weaver.execution.fingerprint import fingerprint
from weaver.execution.labs.model import Lab, LabOutcome
from weaver.execution.protocol import LabJob, Query
from weaver.execution.scratch import scratch

LIMIT = 120.0  # seconds of processor time that a cell may use
# What decides an outcome, beside the cells and what is asked of them
DECIDING = ("weaver.execution.labs.worker", "weaver.execution.launch")


class Labs:
    """Runs labs beside the work of its caller, as many at a time as there are cores.

    `request` starts them, `results` waits for them, `close` ends those that still run. A lab whose
    cells have not changed, nor what is asked of it, nor what its results depend on, comes from the
    cache; so does one of which only the prose has changed. `limit` is in seconds of processor time, for
    each cell. None starts until `may_run` is set.
    """

    def __init__(self, cache: Path, limit: float = LIMIT, may_run: bool = True):
        self.cache, self.limit = Cache(cache), limit
        self.ran = self.reused = 0
        self.may_run = Event()
        if may_run:
            self.may_run.set()
        self._pool = ThreadPoolExecutor(launch.cores())
        self._runs: dict[str, _Run] = {}

    def request(self, asked: Iterable[tuple[Lab, Iterable[Query]]]) -> None:
        """Start what is asked for: labs, each with its queries.

        What was asked for before, and has not changed, goes on; what is not asked for any more is stopped.
        """
        wanted = {lab.name: (lab, tuple(sorted(set(queries)))) for lab, queries in asked}
        for name in self._runs.keys() - wanted.keys():
            self._runs.pop(name).stop()
        for name, (lab, queries) in wanted.items():
            before, key = self._runs.get(name), self._key(lab, queries)
            if before and before.key == key and not before.has_failed:
                continue
            if before:
                before.stop()
            run = self._runs[name] = _Run(key)
            if kept := self.cache.message(key, LabOutcome):
                self.reused += 1
                run.outcome = Future()
                run.outcome.set_result(kept)
            else:
                run.outcome = self._pool.submit(self._outcome, run, lab, queries)

    def results(self, progress: OnProgress | None = None) -> Mapping[str, LabOutcome]:
        """Wait until all that was requested has run; return the outcomes by the labs' names."""
        runs = {run.outcome: name for name, run in self._runs.items()}
        for done, outcome in enumerate(as_completed(runs), 1):
            if progress:
                progress(done, len(runs), runs[outcome])
        return {name: run.outcome.result() for name, run in self._runs.items()}

    def so_far(self) -> Mapping[str, LabOutcome]:
        """Return the outcomes that are there, by the labs' names; don't wait for the others."""
        return {name: run.outcome.result() for name, run in self._runs.items() if run.outcome.done()}

    def close(self) -> None:
        """End what runs. The kernels end with the processes that started them."""
        for run in self._runs.values():
            run.stop()
        self.may_run.set()
        self._pool.shutdown(cancel_futures=True)

    def _key(self, lab: Lab, queries: tuple[Query, ...]) -> str:
        asked = [(query.kind, query.argument) for query in queries]
        return key(fingerprint(*DECIDING), lab.name, lab.cells, asked)

    def _fonts(self, folder: Path) -> Path:
        """Return where matplotlib lists the fonts: in the cache, if that can be written."""
        with suppress(OSError):
            kept = self.cache.folder / "matplotlib"
            kept.mkdir(parents=True, exist_ok=True)
            if os.access(kept, os.W_OK):
                return kept
        return folder

    def _outcome(self, run: "_Run", lab: Lab, queries: tuple[Query, ...]) -> LabOutcome:
        self.may_run.wait()
        self.ran += 1
        try:
            with scratch(self.cache.folder) as folder:
                settings = {"MPLCONFIGDIR": str(self._fonts(folder).resolve())}
                outcome = run(lab, queries, self.limit, settings, str(folder))
        except (OSError, ValueError) as error:
            return LabOutcome(failure=f"couldn't be run: {error}. Build again.")
        if not outcome.failure:
            self.cache.write(run.key, protocol.write(outcome))
        return outcome


class _Run:
    """One run of a lab, in a process of its own; `stop` ends it, or keeps it from beginning."""

    def __init__(self, key: str):
        self.key = key
        self.outcome: Future[LabOutcome]
        self._lock, self._is_stopped = Lock(), False
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def has_failed(self) -> bool:
        return self.outcome.done() and bool(self.outcome.result().failure)

    def stop(self) -> None:
        with self._lock:
            self._is_stopped = True
            if self._process:
                self._process.terminate()

    def __call__(
        self,
        lab: Lab,
        queries: tuple[Query, ...],
        limit: float,
        settings: Mapping[str, str],
        folder: str,
    ) -> LabOutcome:
        """Run the lab in `folder`. Raises OSError if no process starts, ValueError if it said nothing."""
        environment = launch.environment({**launch.KERNEL, **dict.fromkeys(launch.OWN, folder), **settings})
        with self._lock:
            if self._is_stopped:
                return LabOutcome(failure="was stopped before it started.")
            self._process = process = subprocess.Popen(
                [sys.executable, "-P", "-m", "weaver.execution.labs.worker", str(os.getpid())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                start_new_session=True,  # Ctrl-C is for the build, which ends it
            )
        job = LabJob(lab.name, lab.cells, queries, limit, folder)
        out, err = process.communicate(protocol.write(job))
        if process.returncode:
            return LabOutcome(failure=_reason(process.returncode, err.decode(errors="replace")))
        return protocol.read(out, LabOutcome)


def _reason(code: int, err: str) -> str:
    """Return why the process of a lab ended without an outcome."""
    if code < 0:
        return f"was killed by {signal.Signals(-code).name}. Remove whatever kills the process."
    told = ("[IPKernelApp]", "\t", " ")  # what a kernel notes, and what goes on from the line above
    lines = [line for line in err.strip().splitlines() if not line.startswith(told)]
    return f"couldn't be run: {lines[-1] if lines else f'exit code {code}'}"
