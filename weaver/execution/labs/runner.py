"""Labs -> outcomes: what the cache has, and what a process with a kernel gives for each of the others."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from threading import Lock

from weaver.execution import launch
from weaver.execution.cache import Cache, key
from weaver.execution.fingerprint import fingerprint
from weaver.execution.labs.model import Lab, Outcome

LIMIT = 120.0  # seconds that a cell may take
# What decides an outcome, beside the cells and what is asked of them
DECIDING = ("weaver.execution.labs.worker", "weaver.execution.launch")


class Labs:
    """Runs labs beside the work of its caller, as many at a time as there are cores.

    `request` starts them, `results` waits for them, `close` ends those that still run. A lab whose
    cells have not changed, nor what is asked of it, nor what its results depend on, comes from the
    cache; so does one of which only the prose has changed. `limit` is in seconds, for each cell.
    """

    def __init__(self, cache: Path, limit: float = LIMIT):
        self.cache, self.limit = Cache(cache), limit
        self.ran = 0
        self._pool = ThreadPoolExecutor(launch.cores())
        self._runs: dict[str, _Run] = {}

    def request(self, asked: Iterable[tuple[Lab, Iterable[str]]]) -> None:
        """Start what is asked for: labs, each with its looks.

        What was asked for before, and has not changed, goes on; what is not asked for any more is stopped.
        """
        wanted = {lab.name: (lab, sorted(set(looks))) for lab, looks in asked}
        for name in self._runs.keys() - wanted.keys():
            self._runs.pop(name).stop()
        for name, (lab, looks) in wanted.items():
            before, key = self._runs.get(name), self._key(lab, looks)
            if before and before.key == key and not before.has_failed:
                continue
            if before:
                before.stop()
            run = self._runs[name] = _Run(key)
            job = {**asdict(lab), "looks": looks, "limit": self.limit}
            run.outcome = self._pool.submit(self._outcome, run, job)

    def results(self) -> Mapping[str, Outcome]:
        """Wait until all that was requested has run; return the outcomes by the labs' names."""
        return {name: run.outcome.result() for name, run in self._runs.items()}

    def close(self) -> None:
        """End what runs. The kernels end with the processes that started them."""
        for run in self._runs.values():
            run.stop()
        self._pool.shutdown(cancel_futures=True)

    def _key(self, lab, looks):
        return key(fingerprint(*DECIDING), lab.name, lab.cells, looks)

    def _outcome(self, run, job):
        if (data := self.cache.read(run.key)) is not None:
            return Outcome(**json.loads(data))
        self.ran += 1
        settings = self.cache.folder / "matplotlib"  # kept: matplotlib lists the fonts there
        try:
            outcome = run(job, {"MPLCONFIGDIR": str(settings.resolve())})
        except (OSError, ValueError) as error:
            return Outcome(failure=f"could not be run: {error}. Build once more.")
        if not outcome.failure:
            self.cache.write(run.key, json.dumps(asdict(outcome)).encode())
        return outcome


class _Run:
    """One run of a lab, in a process of its own; `stop` ends it, or keeps it from beginning."""

    def __init__(self, key: str):
        self.key = key
        self.outcome: Future[Outcome]
        self._lock, self._process, self._is_stopped = Lock(), None, False

    @property
    def has_failed(self) -> bool:
        return self.outcome.done() and bool(self.outcome.result().failure)

    def stop(self) -> None:
        with self._lock:
            self._is_stopped = True
            if self._process:
                self._process.terminate()

    def __call__(self, job: dict, settings: Mapping[str, str]) -> Outcome:
        """Run the lab. Raises OSError if no process can be started, ValueError if it said nothing."""
        with tempfile.TemporaryDirectory(prefix="lab-", ignore_cleanup_errors=True) as folder:
            environment = launch.environment(
                {**launch.KERNEL, **dict.fromkeys(launch.OWN, folder), **settings}
            )
            with self._lock:
                if self._is_stopped:
                    return Outcome(failure="was stopped before it began.")
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "weaver.execution.labs.worker", str(os.getpid())],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env=environment,
                    text=True,
                )
            out, err = self._process.communicate(json.dumps({**job, "folder": folder}))
        if self._process.returncode:
            return Outcome(failure=_reason(self._process.returncode, err))
        return Outcome(**json.loads(out))


def _reason(code, err):
    """Return why the process of a lab ended without an outcome."""
    if code < 0:
        return f"was ended by {signal.Signals(-code).name} before its end. Take out what kills the process."
    lines = [line for line in err.strip().splitlines() if not line.startswith("[IPKernelApp]")]
    return f"could not be run: {lines[-1] if lines else f'exit code {code}'}"
