"""The process that a trace is recorded in: `python -m weaver.trace.process JOB`.

JOB is a file with a `TraceJob`. Into its folder the output goes (`output`) and the trace (`trace.json`),
or, of a program that took it with it, how that ended (`stopped.json`). Under Linux the program runs in a
child of this process, which ends with all that the program started; elsewhere nobody can tell how it ended.
"""

import _thread
import os
import signal
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path

import msgspec

from weaver.execution import protocol
from weaver.execution.snippets.supervision import PR_SET_PDEATHSIG, _prctl, adopt_orphans, end_orphans
from weaver.trace.model import Limits, Stopped

TICK = 0.05  # seconds between two looks at the clock and the output
GRACE = 30.0  # seconds that writing the trace may take beside the program's own
BEGUN = "begun"  # the file that is there when torch is loaded and the program begins


class TraceJob(msgspec.Struct, frozen=True):
    """A program to trace, with its arguments as the system has them, and the folder for what comes of it."""

    path: str
    arguments: tuple[bytes, ...]
    limits: Limits
    folder: str


def main(job_file: str) -> None:
    """Record what the job says."""
    job = protocol.read(Path(job_file).read_bytes(), TraceJob)
    limits, folder = job.limits, Path(job.folder)
    if sys.platform != "linux":
        return _record(job, limits, folder)
    adopt_orphans()
    stderr = os.dup(2)
    child = os.fork()
    if child == 0:
        try:
            _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            os.setpgid(0, 0)
            _record(job, limits, folder)
        except BaseException:
            os.write(stderr, traceback.format_exc().encode())
            (folder / BEGUN).unlink(missing_ok=True)
        finally:
            os._exit(0)
    try:
        stopped = _wait(child, limits.seconds, folder / BEGUN)
        if (folder / BEGUN).exists():
            (folder / "stopped.json").write_bytes(protocol.write(stopped))
    finally:
        end_orphans()


class Clock:
    """Counts the seconds in which a process ran or slept, not those in which it waited for a processor."""

    def __init__(self, process: int):
        self.process, self.waited = process, 0.0
        self.began = self.seconds()

    def seconds(self) -> float:
        """Return the time by this clock."""
        with suppress(OSError, ValueError, IndexError):  # it has ended, or the system does not tell
            told = Path(f"/proc/{self.process}/schedstat").read_text()
            self.waited = int(told.split()[1]) / 1e9
        return time.monotonic() - self.waited

    def passed(self) -> float:
        """Return how long it has been running."""
        return self.seconds() - self.began


def _wait(child: int, seconds: float, begun: Path) -> Stopped:
    """Return how the child ended; end it if it does not end itself, as one that holds Python's lock."""
    clock, is_late = None, False
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended and is_late:
            return Stopped("late", seconds)
        if ended and os.WIFSIGNALED(status):
            return Stopped("signal", os.WTERMSIG(status))
        if ended:
            return Stopped("exit", os.WEXITSTATUS(status))
        if clock is None and begun.exists():
            clock = Clock(child)
        if clock and not is_late and clock.passed() > seconds + GRACE:
            is_late = True
            os.kill(child, signal.SIGKILL)
        time.sleep(TICK / 5)


def _record(job, limits, folder) -> None:
    from weaver.trace import compact
    from weaver.trace.worker.program import OUTPUT_LIMIT, Program, read_source, take_output
    from weaver.trace.worker.record import Recording

    sys.path.pop(0)  # this process's own; the program gets its folder there
    program = Program(job.path, read_source(job.path), tuple(map(os.fsdecode, job.arguments)))
    output, has_ended = take_output(str(folder / "output")), []
    recording = Recording(program, limits, output)
    ours, clock = os.getpid(), Clock(os.getpid())

    def write(stopped=None):
        text = compact.write(recording.end(stopped))
        while len(text.encode()) > limits.bytes and len(recording.steps.kept) > 2:
            recording.steps.shrink(len(recording.steps.kept) * 2 // 3)
            text = compact.write(recording.end(stopped))
        part = folder / "trace.part"
        part.write_text(text, "utf-8")
        part.rename(folder / "trace.json")

    def guard():
        """End the program when its time, or the room for its output, is over."""
        while not has_ended:
            time.sleep(TICK)
            late, size = clock.passed() > limits.seconds, os.fstat(output).st_size
            if not has_ended and (late or size > OUTPUT_LIMIT):
                recording.stop()
                write(Stopped("late", limits.seconds) if late else Stopped("printed", OUTPUT_LIMIT >> 20))
                os._exit(0)

    (folder / BEGUN).touch()
    _thread.start_new_thread(guard, ())  # none that `threading` knows: the program would see it
    recording.run()
    has_ended.append(True)
    if os.getpid() == ours:  # else a copy that the program forked, and that came to the end as well
        recording.stop()
        write()


if __name__ == "__main__":
    main(sys.argv[1])
    sys.stderr.flush()
    os._exit(0)
