"""When a program has had its time: it used up its processor time, or it does nothing.

A slow machine stops nobody. Linux tells what processes use; elsewhere only the clock is left, with ten
times the limit.
"""

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import StrEnum

TICK = 0.25  # seconds between two looks
IDLE = 3  # times its limit that a program may do nothing
UNMEASURED = 10  # times its limit that a program may run where nobody tells what it used
SHARE = 0.1  # of a processor: whoever uses less, and waits neither for one nor for a disk, does nothing
MEASURES = os.path.exists(f"/proc/self/task/{os.getpid()}/children")
HZ = os.sysconf("SC_CLK_TCK") if MEASURES else 1


class Over(StrEnum):
    """Why a program is stopped: for its processor time, for doing nothing, or by the clock alone."""

    USED = "used"
    IDLE = "idle"
    CLOCK = "clock"


def sentence(over: Over, limit: float) -> str:
    """Return what a program did that is stopped, without its subject: `used 20 s of processor time`."""
    return {
        Over.USED: f"used {limit:g} s of processor time",
        Over.IDLE: f"did nothing for {IDLE * limit:g} s",
        Over.CLOCK: f"was still running after {UNMEASURED * limit:g} s",
    }[over]


def repair(over: Over, setting: str) -> str:
    """Return what to do about a program that was stopped; `setting` names what limits it."""
    does = "Remove what it waits for" if over is Over.IDLE else "Make it finish"
    return f"{does}, or increase {setting} in mkdocs.yml."


class Timer:
    """Counts what processes use from now on, and how long they do nothing.

    `limit` is in seconds of processor time, `idle` in seconds of doing nothing, `processes()` returns the
    ids of those that count: see `family`. `used` and `idle` are what has been counted so far.
    """

    def __init__(self, limit: float, processes: Callable[[], Iterable[int]], idle: float | None = None):
        self.limit, self.idle_limit = limit, IDLE * limit if idle is None else idle
        self.used = self.idle = 0.0
        self._processes, self._peak, self._before = processes, 0.0, 0.0
        self._own: dict[tuple[int, str], float] = {}
        self._began = self._seen = time.monotonic()
        self._before = self._used(self._alive())

    def look(self) -> Over | None:
        """Tell whether the time is over. Call it at will: it looks at most once in TICK seconds."""
        now = time.monotonic()
        passed, since = now - self._seen, now - self._began
        if passed < TICK:
            return None
        self._seen = now
        if not MEASURES:
            return Over.CLOCK if since > UNMEASURED * self.limit else None
        alive, used = self._alive(), self.used
        self.used = self._used(alive)
        works = self.used - used >= SHARE * passed or any(_is_at_work(pid) for pid, *_ in alive)
        # Work takes it back, twice as fast; and a watcher that got no processor for long has seen little.
        self.idle = max(0.0, self.idle + (-2 if works else 1) * min(passed, 2 * TICK))
        if self.used > self.limit:
            return Over.USED
        return Over.IDLE if self.idle > self.idle_limit else None

    def _alive(self) -> list[tuple[int, str, float, float]]:
        """Return each process: id, start, its own time and that of the children it waited for."""
        found = []
        for pid in self._processes() if MEASURES else ():
            with suppress(OSError):  # gone
                told = _stat(f"/proc/{pid}/stat")
                own, waited_for = int(told[11]) + int(told[12]), int(told[13]) + int(told[14])
                found.append((pid, told[19], own / HZ, waited_for / HZ))
        return found

    def _used(self, alive: list[tuple[int, str, float, float]]) -> float:
        """Return what was used since the beginning.

        A parent that waits for a child takes its time over, and some don't wait. So there are two sums,
        neither of which is ever too large: of all that were seen, and of all that are there.
        """
        self._own.update({(pid, started): own for pid, started, own, _ in alive})
        self._peak = max(self._peak, sum(own + waited_for for *_, own, waited_for in alive))
        return max(self._peak, sum(self._own.values())) - self._before


def family(*roots: int) -> list[int]:
    """Return processes and all that descend from them."""
    found, todo = [], list(roots)
    while todo:
        found.append(todo.pop())
        todo += children(found[-1])
    return found


def children(pid: int) -> list[int]:
    """Return the processes whose parent is `pid`; none where the system doesn't tell."""
    found: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with suppress(FileNotFoundError), open(f"/proc/{pid}/task/{task}/children") as file:
                found += map(int, file.read().split())
    return found


def _is_at_work(pid: int) -> bool:
    """Tell whether a thread of a process runs, or waits for a processor or a disk."""
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with suppress(FileNotFoundError, ProcessLookupError):
                if _stat(f"/proc/{pid}/task/{task}/stat")[0] in "RD":
                    return True
    return False


def _stat(path: str) -> list[str]:
    """Return the fields behind a process's name, the first of which is its state."""
    with open(path, "rb", buffering=0) as file:
        return file.read(4096).decode(errors="replace").rsplit(")", 1)[1].split()
