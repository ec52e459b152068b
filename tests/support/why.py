"""Runs a training program under watch, and finds what's wrong with it."""

from pathlib import Path

from weaver.recording import compact
from weaver.recording.limits import Limits
from weaver.recording.program import Script, take_output
from weaver.recording.record import Recording
from weaver.why.command import LIMITS
from weaver.why.findings import find
from weaver.why.run import WatchedRun

from .trace.warm import forked


def watched(path: Path, source: str, limits: Limits = LIMITS) -> WatchedRun:
    """Return a watched run of a program, which is run in a fork of this process."""

    def work(folder):
        script = Script(str(path), source, roots=(f"{path.parent}/",))
        recording = Recording(script, limits, take_output("output").path)
        recording.run()
        recording.stop()
        return compact.write(recording.end())

    return WatchedRun(compact.read(forked(work)), source)


def said(source: str) -> list[tuple[str, str, int]]:
    """Return what's found in a program: its severity, its name with its case, the line."""
    found = find(watched(Path("/program.py"), source))
    return [(str(one.severity), f"{one.name}_{one.case}".rstrip("_"), one.line) for one in found]
