"""The process that a trace is recorded in: `python -m weaver.tracing.process JOB`, a `TraceJob` as JSON.

It says on its stdout how far it is, as lines of `Told`, and has a folder, into which the output goes
(`output`, and where stderr's parts of it lie, `errors`), what's wrong with the program (`found.json`) and the
trace (`trace.json`), or, of a program that took it with it, how that ended (`stopped.json`). Its stdin is the
program's. When its caller has ended, nobody reads its stdout: then it ends the program and all that the
program started, and removes the folder. Under Linux the program runs in a child of this process, and SIGINT
is passed on to it; elsewhere nobody can tell how it ended.
"""

import os
import select
import shutil
import signal
import sys
import tempfile
import traceback
from _signal import SIG_IGN, SIGINT  # type: ignore[import-not-found]  # as the program may break `enum`
from _signal import signal as handle
from _thread import start_new_thread
from collections.abc import Callable
from contextlib import suppress
from os import _exit as leave
from os import getpid, rename
from os.path import exists, join
from time import sleep
from typing import TYPE_CHECKING, Any

import msgspec

from weaver.execution import protocol
from weaver.execution.snippets.supervision import adopt_orphans, die_with_parent, end_orphans
from weaver.execution.timer import IDLE, UNMEASURED, Over, Timer, children, family
from weaver.recording.limits import Limits
from weaver.recording.model import Stopped
from weaver.recording.objects import BUILTINS as __builtins__  # type: ignore[no-redef]  # noqa: F401
from weaver.recording.objects import original_builtins
from weaver.why.finding import Finding

if TYPE_CHECKING:
    from weaver.recording.record import Recording

TICK = 0.05  # seconds between two looks at the clock and the output
GRACE = 30.0  # seconds of processor time, or of none, that writing the trace may take
ENDING = [getattr(signal, one) for one in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, one)]
BEGUN, ENDED, OVER = "begun", "ended", "over"  # files: the program begins, has ended, is to be stopped
_caller = 1  # the descriptor on which the caller reads how far it is


class TraceJob(msgspec.Struct, frozen=True):
    """A program to trace, with its arguments; names as the system has them."""

    path: bytes
    arguments: tuple[bytes, ...]
    limits: Limits
    module: str = ""  # its name, of a program that `-m` names
    include: tuple[bytes, ...] = ()  # files and folders with code that's the program's as well


class Told(msgspec.Struct, frozen=True):
    """How far it is: `folder` (the text is its name), `begun`, `writing`, `done`, `failed` (why).

    When it's done, `code` is the exit code that the program would have had.
    """

    state: str
    text: str = ""
    code: int = 0


def say(state: str, text: str = "", code: int = 0) -> None:
    """Tell the caller how far it is."""
    with suppress(OSError):  # it's gone, which `is_read` will tell
        os.write(_caller, protocol.write(Told(state, text, code)) + b"\n")


def is_read(patience: float) -> bool:
    """Tell whether somebody reads our stdout, after so many seconds if so."""
    if not hasattr(select, "poll"):  # Windows
        sleep(patience)
        try:
            return os.write(_caller, b"\n") > 0
        except OSError:
            return False
    poll = select.poll()
    poll.register(_caller, 0)
    return not poll.poll(patience * 1000)


def is_in_front() -> bool:
    """Tell whether a Ctrl-C in the terminal comes to this process, and to the worker, by itself."""
    if not hasattr(os, "tcgetpgrp"):  # Windows
        return True
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except OSError:
        return False


def main() -> None:
    """Record what the job says."""
    global _caller
    job = protocol.read(sys.argv[1], TraceJob)
    # The terminal sends these to the caller as well, whose end is what ends this process.
    handlers = {one: signal.signal(one, signal.SIG_IGN) for one in ENDING}
    try:
        folder = tempfile.mkdtemp(prefix="weaver-trace-")
    except OSError as error:
        return say("failed", f"There's no folder for temporary files: {error}. Set TMPDIR to one.")
    say("folder", folder)
    try:
        if sys.platform == "linux":
            _record_in_a_child(job, folder, handlers)
        else:
            _caller = os.dup(1)  # the program's output takes the place of 1
            _record(job, folder)
        code = _got(join(folder, "code"), int)
        say("done", code=1 if code is None else code)
        while is_read(TICK):
            pass
    finally:
        end_orphans()
        shutil.rmtree(folder, ignore_errors=True)


def _record_in_a_child(job: TraceJob, folder: str, handlers: dict[signal.Signals, Any]) -> None:
    adopt_orphans()
    child = os.fork()
    if child == 0:
        try:
            die_with_parent()
            if not os.isatty(0):  # from which only the group in front may read, and which sends that SIGINT
                os.setpgid(0, 0)
            for one, handler in handlers.items():
                signal.signal(one, handler)
            _record(job, folder)
        except BaseException as error:
            with original_builtins():
                _put(join(folder, "failed"), _where(error).encode())
        finally:
            leave(0)
    signal.signal(signal.SIGINT, lambda *_: None if is_in_front() else os.kill(child, signal.SIGINT))
    stopped = _wait(child, job.limits.seconds, folder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if exists(join(folder, "failed")):
        with open(join(folder, "failed"), "rb") as file:
            say("failed", file.read().decode("utf-8", "replace"))
    elif stopped:
        _put(join(folder, "stopped.json"), protocol.write(stopped))


def _where(error: BaseException) -> str:
    """Return an error of ours with the place it comes from."""
    *_, last = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__}: {error} ({os.path.basename(last.filename)}:{last.lineno})"


def _wait(child: int, seconds: float, folder: str) -> Stopped | None:
    """Return how the child ended; end it if it does not end itself, as one that holds Python's lock."""
    timer = over = None
    is_writing = False
    while True:
        if timer is None and exists(join(folder, BEGUN)):
            timer = Timer(seconds, lambda: family(*children(getpid())))
            say("begun")
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return over or (
                Stopped("signal", os.WTERMSIG(status))
                if os.WIFSIGNALED(status)
                else Stopped("exit", os.WEXITSTATUS(status))
            )
        if timer and (why := timer.look()):
            if over:
                os.kill(child, signal.SIGKILL)
            else:
                over, timer = _stopped(why, seconds), Timer(GRACE, lambda: family(child), idle=GRACE)
                _put(join(folder, OVER), protocol.write(over))
        if not is_writing and exists(join(folder, ENDED)):
            is_writing = True
            say("writing")
        if not is_read(TICK / 5):
            os.kill(child, signal.SIGKILL)


def _stopped(why: Over, seconds: float) -> Stopped:
    times = {Over.IDLE: IDLE, Over.CLOCK: UNMEASURED}.get(why, 1)
    return Stopped("late" if why is Over.CLOCK else str(why), seconds * times)


def _record(job: TraceJob, folder: str) -> None:
    # All that writing the trace needs is imported while the program hasn't broken anything.
    import weaver.recording.compact
    import weaver.why.findings
    import weaver.why.run  # noqa: F401
    from weaver.recording.files import folders
    from weaver.recording.program import OUTPUT_LIMIT, Script, read_source, take_output
    from weaver.recording.record import Recording

    with suppress(ValueError):  # PYTHONSAFEPATH keeps it out
        sys.path.remove(os.getcwd())  # this process's own; the program gets its folder there
    name, limits = os.fsdecode(job.path), job.limits
    path = os.path.join(os.getcwd(), name)  # which `__file__` and tracebacks have, whatever `sys.argv` says
    with open(path, "rb") as file:
        data = file.read()
    argv = (path if job.module else name, *map(os.fsdecode, job.arguments))
    own = [os.getcwd() if job.module else os.path.dirname(path), *map(os.fsdecode, job.include)]
    program = Script(path, read_source(path), argv, data, job.module, folders(own))
    output = take_output(join(folder, "output"), join(folder, "errors"))
    has_ended: list[bool] = []
    recording = Recording(program, limits, output.path)
    ours, trace_file, over = getpid(), join(folder, "trace.json"), join(folder, OVER)
    clock = Timer(limits.seconds, lambda: ()) if sys.platform != "linux" else None

    def write(stopped: Stopped | None = None) -> None:
        with original_builtins():
            text, found = _fitted(recording, limits, stopped)
            _put(join(folder, "found.json"), protocol.write(found))
            _put(trace_file, text.encode())

    def reason() -> Stopped | None:
        if output.size() > OUTPUT_LIMIT:
            return Stopped("printed", OUTPUT_LIMIT >> 20)
        if clock:
            why = clock.look()
            return _stopped(why, limits.seconds) if why else None
        return _got(over, Stopped)

    def guard() -> None:
        """End the program when its time, or the room for its output, is over."""
        while not has_ended:
            sleep(TICK)
            stopped = reason()
            if stopped and not has_ended:
                recording.stop()
                write(stopped)
                leave(0)

    _put(join(folder, BEGUN), b"")
    if clock:
        say("begun")
    start_new_thread(guard, ())  # none that `threading` knows: the program would see it
    recording.run()
    handle(SIGINT, SIG_IGN)  # one more mustn't lose what was recorded
    has_ended.append(True)
    if getpid() == ours:  # else a copy that the program forked, and that came to the end as well
        with original_builtins():
            _put(join(folder, "code"), protocol.write(recording.ended.code))
            _put(join(folder, ENDED), b"")
            if clock:
                say("writing")
            recording.stop()
            write()


def _fitted(recording: "Recording", limits: Limits, stopped: Stopped | None) -> tuple[str, list[Finding]]:
    """Return a recording as compact text, shortened until it fits, and what's found in the whole of it."""
    from weaver.recording import compact
    from weaver.why.findings import find_with_facts, placed
    from weaver.why.run import WatchedRun

    trace, found = recording.end(stopped), list[Finding]()
    if limits.acts:
        # the program may have broken what this needs
        found = find_with_facts(WatchedRun(trace, recording.program.source), suppress(Exception))
    numbers = [one.number for one in recording.steps.kept]
    seen = {numbers[one.step] for one in found}
    text = compact.write(trace)
    while len(text.encode()) > limits.stored and len(recording.steps.kept) > len(seen) + 2:
        recording.steps.shrink(len(recording.steps.kept) * 2 // 3, seen)
        text = compact.write(recording.end(stopped))
    if len(recording.steps.kept) < len(numbers):
        found = [placed(one, numbers, recording.steps.kept) for one in found]
    return text, found


def _put(path: str, data: bytes, open: Callable = open) -> None:
    """Write a file, which is there whole or not at all."""
    with open(f"{path}.part", "wb") as file:
        file.write(data)
    rename(f"{path}.part", path)


def _got(path: str, kind: type, open: Callable = open, read: Callable = protocol.read) -> Any:
    """Return what's in a file; None if there's no file."""
    if not exists(path):
        return None
    with open(path, "rb") as file:
        return read(file.read(), kind)


if __name__ == "__main__":
    main()
    leave(0)
