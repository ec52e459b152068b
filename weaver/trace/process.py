"""The process that a trace is recorded in: `python -m weaver.trace.process JOB`.

JOB is a JSON file with `path`, `arguments`, `limits` (of `Limits`) and `folder`, where the output goes
(`output`) and the trace (`trace.json`), which is there only if it could be written. Under Linux the
program runs in a child of this process, which ends with all that the program started.
"""

import _thread
import json
import os
import signal
import sys
import time
from pathlib import Path

from weaver.execution.snippets.supervision import PR_SET_PDEATHSIG, _prctl, adopt_orphans, end_orphans
from weaver.trace.model import Limits

TICK = 0.05  # seconds between two looks at the clock and the output
GRACE = 15.0  # seconds that loading torch and writing the trace may take beside the program's own


def main(job_file: str) -> int:
    """Record what the job says; return the exit code of the process that did."""
    job = json.loads(Path(job_file).read_text("utf-8"))
    limits = Limits(**job["limits"])
    if sys.platform != "linux":
        return _record(job, limits)
    adopt_orphans()
    child = os.fork()
    if child == 0:
        code = 70
        try:
            _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            os.setpgid(0, 0)
            code = _record(job, limits)
        finally:
            os._exit(code)
    try:
        return _wait(child, limits.seconds)
    finally:
        end_orphans()


def _wait(child, seconds):
    """Wait for the child; end it if it does not end itself, as one that holds the interpreter's lock."""
    deadline = time.monotonic() + seconds + GRACE
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
        time.sleep(TICK / 5)


def _record(job, limits) -> int:
    from weaver.trace import compact
    from weaver.trace.worker.program import OUTPUT_LIMIT, Program, take_output
    from weaver.trace.worker.record import Recording

    sys.path.pop(0)  # this process's own; the program gets its folder there
    folder = Path(job["folder"])
    source = Path(job["path"]).read_text("utf-8")
    program = Program(job["path"], source, tuple(job["arguments"]))
    output = take_output(str(folder / "output"))
    recording = Recording(program, limits, output)
    ours = os.getpid()

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
        deadline = time.monotonic() + limits.seconds
        while True:
            time.sleep(TICK)
            late, size = time.monotonic() > deadline, os.fstat(output).st_size
            if late or size > OUTPUT_LIMIT:
                recording.stop()
                what = f"was still running after {limits.seconds:g} s" if late else "printed more than 64 MiB"
                write(f"The program {what} and was stopped.")
                os._exit(0)

    _thread.start_new_thread(guard, ())  # none that `threading` knows: the program would see it
    recording.run()
    if os.getpid() == ours:  # else a copy that the program forked, and that came to the end as well
        recording.stop()
        write()
    return 0


if __name__ == "__main__":
    ended = main(sys.argv[1])
    os._exit(ended if ended >= 0 else 128 - ended)
