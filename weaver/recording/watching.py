"""Stands in Python's and torch's way while a program is recorded."""

import sys
import threading
from sys import _getframe as this_frame
from sys import gettrace, settrace
from threading import settrace as settrace_of_threads
from types import FrameType
from typing import TYPE_CHECKING

from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401

if TYPE_CHECKING:
    from weaver.recording.record import Recording


class Watching:
    """Stands in Python's and torch's way while it is entered as a context.

    No generator of `contextlib`: that would need the builtins, which the program may have broken.
    """

    def __init__(self, recording: "Recording"):
        self.recording = recording

    def __enter__(self) -> None:
        found = self.recording
        self.earlier = gettrace(), threading.gettrace()
        _listen()
        _listening.append(found)
        found.engine.__enter__()
        if found.engine.operations:
            found.engine.operations.__enter__()
        settrace_of_threads(found.stepper.enter)
        settrace(found.stepper.enter)

    def __exit__(self, *error: object) -> None:
        found = self.recording
        settrace(self.earlier[0])
        settrace_of_threads(self.earlier[1])
        if found.engine.operations:
            found.engine.operations.__exit__(*error)
        _listening.remove(found)
        found.engine.__exit__(*error)
        if not found.stepper.is_off:
            found.stepper.skip(False)
        found.stop()


PACKAGE = __name__.split(".")[0]
FRAMEWORK = (f"{PACKAGE}.", "threading")  # modules that may set the trace function
_listening: list["Recording"] = []  # the recordings that are running
_hears = False


def _listen() -> None:
    """Hear for the rest of this process when a trace function is set: no other way tells."""
    global _hears

    def hear(event: str, arguments: tuple[object, ...]) -> None:
        if event == "sys.settrace" and _listening:
            _on_settrace(_listening[-1], this_frame(1))

    if not _hears:
        _hears = True
        sys.addaudithook(hear)


def _on_settrace(recording: "Recording", frame: FrameType) -> None:
    """Note that the program sets the trace function."""
    if recording.stepper.is_off or frame.f_globals.get("__name__", "").startswith(FRAMEWORK):
        return
    at: FrameType | None = frame
    while at is not None and at.f_code.co_filename != recording.program.path:
        at = at.f_back
    recording.note("settrace", at.f_lineno if at else recording.stepper.line)
