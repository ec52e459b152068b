"""Programs -> what they print with another interpreter: a `probe` per core, each running one at a time."""

import json
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from queue import Queue
from shutil import rmtree
from tempfile import TemporaryDirectory

from weaver.execution import launch
from weaver.execution.normalise import normalise
from weaver.execution.publishable import ADDRESS
from weaver.execution.refusals import OUTPUT_LIMIT
from weaver.execution.snippets.source import Snippet
from weaver.execution.timer import TICK, Timer, children, family
from weaver.problem import Problem

PROBE = Path(__file__).with_name("probe.py")
SETTINGS = launch.SERVER | {"PYTHONHASHSEED": "0", "CUDA_VISIBLE_DEVICES": ""}  # a build for GPUs uses none
LINE = re.compile(r'(File "(?:torch|functorch)/[^"]*", line |^  (?:torch|functorch)/[\w/]+\.py\()\d+', re.M)
OURS = re.compile(rf"^ *{re.escape(str(PROBE))}\(.*\n?", re.M)  # in a stack that torch prints
LOG, FRAGMENT = re.compile(r"\[Gloo\]|peer ranks"), re.compile(r"\d*\n")
TIMED = re.compile(r"^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}\] .*\n?", re.M)  # what the compiler logs
OnProgress = Callable[[int], None]


class Probe:
    """An interpreter that runs programs, `limit` seconds of processor time each."""

    def __init__(self, python: Path, folder: Path, limit: float) -> None:
        self.python, self.folder, self.limit = python, folder, limit
        # a link, so that what a virtual environment's interpreter finds is that environment's
        prefixes = python.absolute().parent.parent, folder
        self.prefixes = [str(one) for one in prefixes if len(one.parts) > 2]  # no `/`, no `/usr`
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        environment = launch.environment(SETTINGS)
        environment.pop("PYTHONPATH", None)
        process = subprocess.Popen(
            [self.python.absolute(), "-u", PROBE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=environment,
            start_new_session=True,
        )
        assert process.stdout and process.stderr
        first = process.stdout.readline()
        if not first:
            said = process.stderr.read().decode(errors="replace").strip().rpartition("\n")[2]
            process.wait()
            raise Problem(f"{self.python} can't load torch: {said}. Name a Python that can.")
        self.torch = json.loads(first).split("+")[0]
        return process

    def output(self, snippet: Snippet) -> str:
        """Return what a program prints, in a form in which equal outputs are equal."""
        if self._process.poll() is not None:
            self._process = self._start()
        process, work = self._process, self.folder / "run"
        assert process.stdin and process.stdout
        rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        job = {"path": str(snippet.path.resolve()), "source": snippet.source, "folder": str(work)}
        timer, is_late = Timer(self.limit, lambda: family(process.pid)), False
        process.stdin.write(json.dumps(job).encode() + b"\n")
        while not select.select([process.stdout], [], [], TICK)[0]:
            if timer.look():
                is_late = True
                for pid in children(process.pid):
                    with suppress(OSError):
                        os.kill(pid, signal.SIGKILL)
        status = process.stdout.readline()
        if not status:
            process.wait()
        with suppress(OSError):
            end = _end(int(status), is_late, self.limit) if status else "[ended its parent]\n"
            with open(work / "output", "rb") as file:
                text = steady(file.read(OUTPUT_LIMIT).decode(errors="replace"), self.prefixes)
            return text.replace(f"{snippet.path.resolve().parent}/", "") + end
        return "[never began]\n"

    def close(self) -> None:
        """End it and whatever it runs."""
        for pid in reversed(family(self._process.pid)):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        self._process.communicate()


def _end(status: int, is_late: bool, limit: float) -> str:
    """Return a line on a program that something else ended."""
    if is_late:
        return f"[stopped: not done after {limit:g} s]\n"
    return f"[ended by {signal.Signals(status & 127).name}]\n" if status & 127 else ""


def steady(text: str, prefixes: Sequence[str]) -> str:
    """Return an output as pages show it, without paths of this machine, addresses, torch's line numbers."""
    text = _without_log(TIMED.sub("", OURS.sub("", normalise(text))))
    for prefix in prefixes:
        text = text.replace(prefix, "...")
    text = LINE.sub(r"\1...", ADDRESS.sub("0x...", text))
    return text if not text or text.endswith("\n") else f"{text}\n"


def _without_log(text: str) -> str:
    """Return an output without what Gloo logs on connecting.

    Processes write it at the same time, so one's line may be in another's; then its end is a line of its own.
    """
    lines = text.splitlines(keepends=True)
    kept = [line for line in lines if not LOG.search(line)]
    torn = text.count("Expected number") - (len(lines) - len(kept))
    for line in [line for line in kept if FRAGMENT.fullmatch(line)][: max(torn, 0)]:
        kept.remove(line)
    return "".join(kept)


def is_same(expected: str, output: str) -> bool:
    """Tell whether an output says the same as the one that is expected."""
    return steady(expected, ()) == output


@contextmanager
def probes(python: Path, limit: float) -> Iterator["Pool"]:
    """Give interpreters that run programs beside each other, one per core."""
    if sys.platform != "linux":
        raise Problem("other versions of torch are run by forking, which only Linux does safely.")
    with TemporaryDirectory(prefix="weaver-") as folder, ExitStack() as stack:
        every = [Probe(python, Path(folder, str(number)), limit) for number in range(launch.cores())]
        yield Pool([stack.enter_context(closing(one)) for one in every])


class Pool:
    """Interpreters that run programs beside each other. `torch` is their version of it."""

    def __init__(self, every: Sequence[Probe]) -> None:
        self.torch: str = every[0].torch
        self._every, self._free = every, Queue[Probe]()
        for probe in every:
            self._free.put(probe)

    def outputs(self, snippets: Sequence[Snippet], progress: OnProgress = lambda done: None) -> list[str]:
        """Return what each program prints; call `progress` with how many are done."""
        outputs = []
        with ThreadPoolExecutor(len(self._every)) as threads:
            for done, output in enumerate(threads.map(self._output, snippets), 1):
                outputs.append(output)
                progress(done)
        return outputs

    def _output(self, snippet: Snippet) -> str:
        probe = self._free.get()
        try:
            return probe.output(snippet)
        finally:
            self._free.put(probe)
