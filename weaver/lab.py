"""Labs: pages whose cells run in one kernel, once for all languages; what they gave, kept on disk."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from weaver.cache import Cache, version
from weaver.run import ENVIRONMENT, cores

LIMIT = 120.0  # seconds that a cell may take
# What, beside what decides any result, decides what a lab gives and how it is rendered
DECIDING = ("kernel.py", "lab.py", "templates/mkdocs_html/notebook.html.j2")
PACKAGES = ("ipykernel", "matplotlib", "mkdocs-jupyter", "nbclient", "nbconvert", "pillow")
KERNEL = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "LANG": "C.UTF-8"}


@dataclass(frozen=True)
class Lab:
    """The program of a lab: its name, `labs/gan`, and the code of its cells."""

    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """What came of a lab.

    Of each cell `outputs` has the outputs as nbformat describes them, and `html` the same as HTML,
    in which pictures have no description yet; `pictures` are those, by file name, in base64.
    `values` and `names` are as in `result.Result`. `failure` is a sentence without its subject, or
    None; `failed` is the number of the cell that it speaks of, from 1.
    """

    outputs: list[list[dict[str, Any]]] = field(default_factory=list)
    html: list[str] = field(default_factory=list)
    pictures: dict[str, str] = field(default_factory=dict)
    values: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    failure: str | None = None
    failed: int | None = None


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
        self._running: set[subprocess.Popen] = set()
        self._outcomes: dict[str, tuple[str, Future]] = {}  # name -> key and outcome

    def request(self, asked: Iterable[tuple[Lab, Iterable[str]]]) -> None:
        """Start what is asked for: labs, each with its looks; not what was asked for before."""
        for lab, looks in asked:
            looks = sorted(set(looks))
            key = self._key(lab, looks)
            before, outcome = self._outcomes.get(lab.name, (None, None))
            if key != before or (outcome.done() and outcome.result().failure):
                self._outcomes[lab.name] = key, self._pool.submit(self._outcome, lab, looks, key)

    def results(self) -> Mapping[str, Outcome]:
        """Wait until all that was requested has run; return the outcomes by the labs' names."""
        return {name: outcome.result() for name, (_, outcome) in self._outcomes.items()}

    def close(self) -> None:
        """End what runs. The kernels end with the processes that started them."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in list(self._running):
            process.terminate()

    def _key(self, lab, looks):
        folder = Path(__file__).parent
        digest = hashlib.sha256(self.cache.fingerprint.encode())
        for name in DECIDING:
            digest.update((folder / name).read_bytes())
        facts = [lab.name, lab.cells, looks, [version(package) for package in PACKAGES]]
        digest.update(json.dumps(facts).encode())
        return digest.hexdigest()

    def _outcome(self, lab, looks, key):
        with suppress(OSError, ValueError, TypeError):
            return Outcome(**self.cache.read(key))
        self.ran += 1
        outcome = self._run(lab, looks)
        if not outcome.failure:
            with suppress(OSError):  # a full disk costs the cache, not the build
                self.cache.write(key, asdict(outcome))
        return outcome

    def _run(self, lab, looks):
        """Run a lab in a process of its own, in a place of its own."""
        settings = self.cache.folder / "matplotlib"  # kept: matplotlib lists the fonts there
        with tempfile.TemporaryDirectory(prefix="lab-") as folder:
            own = {name: folder for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR")}
            environment = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "weaver.kernel"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**environment, **KERNEL, **own, "MPLCONFIGDIR": str(settings.resolve())},
                text=True,
            )
            self._running.add(process)
            job = {**asdict(lab), "looks": looks, "limit": self.limit, "folder": folder}
            out, err = process.communicate(json.dumps(job))
            self._running.discard(process)
        if process.returncode:
            last = (err.strip().splitlines() or ["no message"])[-1]
            return Outcome(failure=f"could not be run: {last}")
        return Outcome(**json.loads(out))
