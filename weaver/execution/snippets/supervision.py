"""The process of one snippet: forked or freshly started, watched, and ended with all its offspring."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress

from weaver.execution.timer import Timer, children, family

if sys.platform == "linux":
    PRCTL = ctypes.CDLL(None).prctl
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
GRACE = 0.3  # seconds, of processor time or asleep, in which helpers that a program leaves may end


def fork_is_safe() -> bool:
    """Tell whether a process that has torch loaded may fork here: under Linux alone."""
    return sys.platform == "linux" and hasattr(os, "pidfd_open")


def adopt_orphans() -> None:
    """Become the parent of every process whose parent dies below us, so that none escapes."""
    if sys.platform == "linux":
        PRCTL(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent() -> None:
    """End when the process that forked this one does, however it does."""
    if sys.platform == "linux":
        PRCTL(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _mark(number: int) -> int:
    return 501 + number % 400


def set_mark(pid: int | str, number: int) -> None:
    """Mark a process, and all that it will start: see `Process`."""
    with suppress(OSError), open(f"/proc/{pid}/oom_score_adj", "w") as file:
        file.write(str(_mark(number)))


class Process:
    """A process of its own session that runs the job `number` in `folder`.

    `pidfd` becomes readable when it ends (None where there is no such thing). `mark` is its score
    for the kernel's choice of whom to end when memory runs out: all that it starts inherits the
    score and cannot tell, so that we know them, whatever session and folder they go to; and the
    kernel takes them, not the build.
    """

    pidfd: int | None = None

    def __init__(self, pid: int, number: int, folder: str):
        self.pid, self.folder = pid, folder
        self.mark = _mark(number)

    def poll(self) -> int | None:
        """Return the exit code, negative if a signal ended it, or None while it runs."""
        raise NotImplementedError

    def end(self) -> bool:
        """End it if it runs, and all that it started; tell whether anything outlived it."""
        outlived = self.poll() is not None and _goes_on(self._offspring)
        while self.poll() is None or self._offspring():
            self._kill_group()
            for pid in self._offspring():
                os.kill(pid, signal.SIGKILL)
            time.sleep(0.001)
        if self.pidfd is not None:
            os.close(self.pidfd)
        return outlived

    def family(self) -> list[int]:
        """Return it and all that it started, also what has gone over to this process."""
        left = [pid for pid in children(os.getpid()) if pid != self.pid and self._bears_its_mark(pid)]
        return family(self.pid, *left)

    def _kill_group(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def _offspring(self) -> list[int]:
        """Return the processes, younger than it, that bear its mark and descend from this one."""
        return [pid for pid in _processes() if pid > self.pid and self._is_offspring(pid)]

    def _bears_its_mark(self, pid: int) -> bool:
        with suppress(OSError):  # gone
            return int(_read(pid, "oom_score_adj")) == self.mark
        return False

    def _is_offspring(self, pid: int) -> bool:
        try:
            if not self._bears_its_mark(pid) or not _descends_from_us(pid):
                return False
            return os.waitpid(pid, os.WNOHANG)[0] == 0  # else it had ended, and is reaped now
        except ChildProcessError:  # the child of a child
            return True
        except OSError:  # gone
            return False


def outlives() -> bool:
    """Tell whether anything that descends from this process goes on for longer than GRACE."""
    return _goes_on(_all_offspring)


def _goes_on(offspring: Callable[[], list[int]]) -> bool:
    timer = Timer(GRACE, offspring, idle=GRACE)
    while offspring():
        if timer.look():
            return True
        time.sleep(0.002)
    return False


def _all_offspring() -> list[int]:
    """Return every process that descends from this one and has not ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    return [pid for pid in _processes() if pid != os.getpid() and _descends_from_us(pid)]


def end_orphans() -> None:
    """Kill every process that descends from this one."""
    while offspring := _all_offspring():
        for pid in offspring:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)


def _processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()] if sys.platform == "linux" else []


def _descends_from_us(pid: int) -> bool:
    try:
        while pid not in (0, 1, os.getpid()):
            pid = int(_read(pid, "stat").rsplit(")", 1)[1].split()[1])
    except OSError:  # gone
        return False
    return pid == os.getpid()


def _read(pid: int, name: str) -> str:
    with open(f"/proc/{pid}/{name}", "rb", buffering=0) as file:
        return file.read(1 << 16).decode(errors="replace")  # at once: between two reads it may change


class Forked(Process):
    """A fork of this process, which has torch loaded, that calls `job()` and ends with its result."""

    def __init__(self, job: Callable[[], int], number: int, folder: str):
        pid = os.fork()
        if pid == 0:
            self._become(job, number)
        super().__init__(pid, number, folder)
        self.pidfd = os.pidfd_open(pid)
        self._code: int | None = None

    @staticmethod
    def _become(job: Callable[[], int], number: int) -> None:
        code = 1
        try:
            os.setsid()
            set_mark("self", number)
            die_with_parent()
            code = job()
        finally:
            os._exit(code & 0xFF)

    def poll(self) -> int | None:
        if self._code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self._code = os.waitstatus_to_exitcode(status) if pid else None
        return self._code


class Fresh(Process):
    """A fresh interpreter that runs the job file in `folder`."""

    def __init__(self, job_file: str, number: int, folder: str):
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "weaver.execution.snippets.worker", job_file],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        super().__init__(self._process.pid, number, folder)
        set_mark(self.pid, number)

    def poll(self) -> int | None:
        return self._process.poll()

    def _kill_group(self) -> None:
        if hasattr(os, "killpg"):
            super()._kill_group()
        else:  # Windows
            self._process.kill()
