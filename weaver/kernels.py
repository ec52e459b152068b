"""Labs -> outcomes: what the cache has, and what a process with a kernel gives for each of the others."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from threading import Lock

from weaver.cache import Cache, version
from weaver.lab import Lab, Outcome
from weaver.run import ENVIRONMENT, cores

LIMIT = 120.0  # seconds that a cell may take
# What, beside what decides any result, decides what a lab gives and how it is rendered
DECIDING = (
    "kernel.py",
    "kernels.py",
    "run.py",
    "templates/mkdocs_html/conf.json",
    "templates/mkdocs_html/notebook.html.j2",
)
PACKAGES = (
    "ipykernel",
    "ipython",
    "matplotlib",
    "matplotlib-inline",
    "mkdocs-jupyter",
    "nbclient",
    "nbconvert",
    "pillow",
)
# How a kernel starts: with this interpreter, whatever kernels its user has installed
KERNEL = {
    "JUPYTER_PREFER_ENV_PATH": "1",
    "LANG": "C.UTF-8",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}
# What of its user's it does not see: its settings are those of an empty folder
OWN = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")


class Labs:
    """Runs labs beside the work of its caller, as many at a time as there are cores.

    `request` starts them, `results` waits for them, `close` ends those that still run. A lab whose
    cells have not changed, nor what is asked of it, nor what its results depend on, comes from the
    cache; so does one of which only the prose has changed. `limit` is in seconds, for each cell.
    """

    def __init__(self, cache: Path, limit: float = LIMIT):
        self.cache, self.limit = Cache(cache), limit
        self.ran = 0
        self._pool = ThreadPoolExecutor(cores())
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
        folder = Path(__file__).parent
        digest = hashlib.sha256(self.cache.fingerprint.encode())
        for name in DECIDING:
            digest.update((folder / name).read_bytes())
        facts = [lab.name, lab.cells, looks, [version(package) for package in PACKAGES]]
        digest.update(json.dumps(facts).encode())
        return digest.hexdigest()

    def _outcome(self, run, job):
        with suppress(OSError, ValueError, TypeError):
            return Outcome(**self.cache.read(run.key))
        self.ran += 1
        settings = self.cache.folder / "matplotlib"  # kept: matplotlib lists the fonts there
        try:
            outcome = run(job, {"MPLCONFIGDIR": str(settings.resolve())})
        except (OSError, ValueError) as error:
            return Outcome(failure=f"could not be run: {error}. Build once more.")
        if not outcome.failure:
            with suppress(OSError):  # a full disk costs the cache, not the build
                self.cache.write(run.key, asdict(outcome))
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
            environment = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
            environment |= {**KERNEL, **dict.fromkeys(OWN, folder), **settings}
            with self._lock:
                if self._is_stopped:
                    return Outcome(failure="was stopped before it began.")
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "weaver.kernel", str(os.getpid())],
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
