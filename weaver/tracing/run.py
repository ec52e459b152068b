"""Has a program traced in a process of its own."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from weaver.execution import protocol
from weaver.problem import Problem, shown
from weaver.recording import compact
from weaver.recording.model import Limits, Stopped, Trace
from weaver.tracing.process import Told, TraceJob


def trace(
    path: Path,
    arguments: Sequence[str] = (),
    limits: Limits = Limits(),  # noqa: B008
    hear: Callable[[Told], None] = lambda told: None,
) -> Trace:
    """Run the program at `path` under watch, with its folder on `sys.path`, here and in our environment.

    An error in it is a result, and so is a program that does not end in time. One that dies without a
    word has a trace without steps, which says so in `stopped`. `hear` is told how far it is. Raises Problem
    if recording failed.
    """
    job = TraceJob(os.fsencode(path), tuple(map(os.fsencode, arguments)), limits)
    worker = [sys.executable, "-m", "weaver.tracing.process"]
    with subprocess.Popen(worker, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        folder: Path | None = None
        try:
            with suppress(OSError):  # it has died, and says why on stderr
                process.stdin.write(protocol.write(job) + b"\n")
                process.stdin.flush()
            for line in process.stdout:
                told = protocol.read(line, Told)
                folder = Path(told.text) if told.state == "folder" else folder
                if told.state == "failed":
                    raise Problem(f"{shown(path)} couldn't be recorded. {told.text}")
                if told.state == "done" and folder:
                    return _found(folder, path)
                hear(told)
            code = process.wait()
            if folder is None or code >= 0:
                raise Problem(f"{shown(path)} couldn't be recorded: its process ended with code {code}.")
            # the program ended the process that looks after it
            return _without_steps(folder, path, Stopped("signal", -code))
        finally:
            with suppress(OSError):
                process.stdin.close()  # which ends it, and all that it started
            process.wait()
            if folder:
                shutil.rmtree(folder, ignore_errors=True)


def _found(folder: Path, path: Path) -> Trace:
    found, stopped = folder / "trace.json", folder / "stopped.json"
    if found.exists():
        return replace(compact.read(found.read_text("utf-8")), program=str(path))
    return _without_steps(folder, path, protocol.read(stopped.read_bytes(), Stopped))


def _without_steps(folder: Path, path: Path, end: Stopped) -> Trace:
    output = folder / "output"
    printed = output.read_bytes()[: 1 << 20].decode("utf-8", "replace") if output.exists() else ""
    return Trace("", str(path), stopped=end, printed_at_end=printed)
