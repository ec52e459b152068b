"""A snippet's run that is recorded line by line, in a process that was made ready for it."""

import os
import types
from contextlib import AbstractContextManager
from dataclasses import replace

from weaver.execution.normalise import normalise
from weaver.graph.worker.objects import original_builtins
from weaver.trace import compact
from weaver.trace.model import Limits
from weaver.trace.worker.program import End, Program
from weaver.trace.worker.record import Recording

LIMITS = Limits(steps=60, elements=64, looks=5_000)


class Traced(AbstractContextManager):
    """Records the program at `path` while it is executed as the module `main`.

    All that it prints goes to the file at the path `output`.
    """

    def __init__(self, path: str, source: str, main: types.ModuleType, output: str):
        self.path = path
        self.recording = Recording(Program(path, source), LIMITS, output)
        self.watching = self.recording.watching(main, self.recording.lines())

    def __enter__(self):
        return self.watching.__enter__()

    def __exit__(self, *error):
        return self.watching.__exit__(*error)

    def text(self, error: str | None, start: int, end: int) -> str:
        """Return the compact form of the trace of a program that has ended, as it can be published.

        `error` is what ended it, `start` to `end` the bytes of its output that are the traceback.
        """
        with original_builtins():
            return self._text(error, start, end)

    def _text(self, error, start, end):
        self.recording.ended = End(error and normalise(error), start, end)
        trace = self.recording.end()
        for step in trace.steps:
            step.printed = normalise(step.printed)
            step.raised = step.raised and normalise(step.raised)
            step.gap = step.gap and replace(step.gap, printed=normalise(step.gap.printed))
        end = normalise(trace.printed_at_end)
        return compact.write(replace(trace, program=os.path.basename(self.path), printed_at_end=end))
