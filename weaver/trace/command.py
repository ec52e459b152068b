"""Has a program traced in a process of its own."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from weaver.execution import protocol
from weaver.trace import compact
from weaver.trace.model import Limits, Stopped, Trace
from weaver.trace.process import TraceJob


def trace(path: Path, arguments: Sequence[str] = (), limits: Limits = Limits()) -> Trace:  # noqa: B008
    """Run the program at `path` under watch, with its folder on `sys.path`, here and in our environment.

    An error in it is a result, and so is a program that does not end in time. One that dies without a
    word has a trace without steps, which says so in `stopped`. Raises RuntimeError if recording failed.
    """
    with tempfile.TemporaryDirectory(prefix="weaver-trace-") as folder:
        job = Path(folder, "job.json")
        told = TraceJob(str(path), tuple(map(os.fsencode, arguments)), limits, folder)
        job.write_bytes(protocol.write(told))
        worker = [sys.executable, "-m", "weaver.trace.process", str(job)]
        process = subprocess.Popen(worker, stdin=subprocess.DEVNULL)
        try:
            process.wait()
        except BaseException:  # also when its user has had enough of it
            process.terminate()
            process.wait()
            raise
        found, stopped = Path(folder, "trace.json"), Path(folder, "stopped.json")
        if found.exists():
            return compact.read(found.read_text("utf-8"))
        if stopped.exists():
            end = protocol.read(stopped.read_bytes(), Stopped)
        elif process.returncode < 0:  # the program ended the process that looks after it
            end = Stopped("signal", -process.returncode)
        else:
            raise RuntimeError(f"The recorder failed on {path}: what it said stands above.")
        output = Path(folder, "output")
        printed = output.read_bytes()[: 1 << 20].decode("utf-8", "replace") if output.exists() else ""
        return Trace("", str(path), stopped=end, printed_at_end=printed)
