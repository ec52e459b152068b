"""Has a program traced in a process of its own."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import current_thread, main_thread
from typing import NamedTuple

from weaver.execution import protocol
from weaver.problem import Problem, shown
from weaver.recording import compact
from weaver.recording.limits import Limits
from weaver.recording.model import Stopped, Trace
from weaver.tracing.live import LiveOutput
from weaver.tracing.process import Told, TraceJob, is_in_front
from weaver.why.finding import Finding


@dataclass(frozen=True, slots=True)
class Program:
    """What is to be traced: a file, `module`, its name if it was named as one, and its arguments.

    The functions in files below its folder are stepped into, and those in the files and folders `include`.
    """

    path: Path
    arguments: Sequence[str] = ()
    module: str = ""
    include: Sequence[Path] = ()

    @property
    def name(self) -> str:
        """What it's called: the module or package that `-m` ran, or its file without `.py`."""
        return self.module.removesuffix(".__main__") or self.path.stem

    @property
    def title(self) -> str:
        """What its page is about: the module or package, or its file."""
        return self.name if self.module else self.path.name


class WatchedProgram(NamedTuple):
    """A program's trace, its exit code, and what's wrong with it, if acts were asked for."""

    trace: Trace
    code: int
    found: list[Finding]


def trace(
    program: Program,
    limits: Limits = Limits(),  # noqa: B008
    hear: Callable[[Told], None] = lambda told: None,
    is_live: bool = False,
) -> WatchedProgram:
    """Run a program under watch, with its folder on `sys.path`, here and in our environment.

    An error in it is a result, and so is a program that does not end in
    time. One that dies without a word has a trace without steps, which says so in `stopped`. `hear` is told
    how far it is; if it `is_live`, what it prints is shown at once. SIGINT goes to it. Raises Problem if
    recording failed.
    """
    arguments = tuple(map(os.fsencode, program.arguments))
    include = tuple(os.fsencode(one) for path in program.include for one in (path.absolute(), path.resolve()))
    job = TraceJob(os.fsencode(program.path), arguments, limits, program.module, include)
    worker = [sys.executable, "-m", "weaver.tracing.process", protocol.write(job).decode()]
    # The terminal's SIGINT comes only to us, if the worker doesn't read there
    group = None if os.isatty(0) else 0
    with (
        subprocess.Popen(worker, stdout=subprocess.PIPE, process_group=group) as process,
        _interrupting(process),
    ):
        assert process.stdout
        folder: Path | None = None
        try:
            live: LiveOutput | None = None
            with ExitStack() as shown_meanwhile:
                for line in filter(bytes.strip, process.stdout):
                    told = protocol.read(line, Told)
                    if told.state == "folder":
                        folder = Path(told.text)
                        if is_live:
                            live = shown_meanwhile.enter_context(LiveOutput(folder))
                    if live and told.state in ("writing", "done"):
                        live.close()
                    if told.state == "failed":
                        raise Problem(f"{shown(program.path)} couldn't be recorded. {told.text}")
                    if told.state == "done" and folder:
                        return _found(folder, program.path, told.code)
                    hear(told)
                    if live and told.state == "begun":
                        live.start()
            code = process.wait()
            if folder is None or code >= 0:
                raise Problem(
                    f"{shown(program.path)} couldn't be recorded: its process ended with code {code}."
                )
            # the program ended the process that looks after it
            return _without_steps(folder, program.path, Stopped("signal", -code))
        finally:
            process.stdout.close()  # which ends it, and all that it started
            process.wait()
            if folder:
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _interrupting(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Pass SIGINT on to a process; a terminal sends it there itself."""
    if current_thread() is not main_thread():
        yield
        return

    def interrupt(*_: object) -> None:
        if not is_in_front():
            process.send_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _found(folder: Path, path: Path, code: int) -> WatchedProgram:
    found, stopped = folder / "trace.json", folder / "stopped.json"
    if found.exists():
        wrong = protocol.read((folder / "found.json").read_bytes(), list[Finding])
        return WatchedProgram(replace(compact.read(found.read_text("utf-8")), program=str(path)), code, wrong)
    return _without_steps(folder, path, protocol.read(stopped.read_bytes(), Stopped))


def _without_steps(folder: Path, path: Path, end: Stopped) -> WatchedProgram:
    output = folder / "output"
    printed = output.read_bytes()[: 1 << 20].decode("utf-8", "replace") if output.exists() else ""
    code = 128 + int(end.number) if end.why == "signal" else int(end.number) if end.why == "exit" else 1
    return WatchedProgram(Trace("", str(path), stopped=end, printed_at_end=printed), code, [])
