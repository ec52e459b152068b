"""What a command costs, with all that it starts: time, processor time, memory."""

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class Failed(Exception):
    """Something did not do its work; the text says what, and what it printed."""


class Cost(NamedTuple):
    """Seconds, processor seconds (user and system), and the MiB of the largest process.

    The last two are Linux's own account of the command and of every process below it that was
    waited for, directly or by a parent in between.
    """

    wall: float
    cpu: float
    peak: float


def measure(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str]) -> tuple[Cost, str]:
    """Run `command` in `folder`; return its cost and its output. Raises Failed unless it exits with 0."""
    with tempfile.TemporaryFile() as output:
        streams = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output}
        began = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=environment, **streams)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except KeyboardInterrupt:
            process.kill()
            process.wait()
            raise
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        said = output.read().decode("utf-8", errors="replace")
    if process.returncode:
        raise Failed(f"ended with exit code {process.returncode}. It said:\n{said}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024), said
