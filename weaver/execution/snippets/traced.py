"""A snippet's run that is recorded line by line, in a process that was made ready for it."""

import ast
import os
import types
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from weaver.execution.normalise import normalise
from weaver.graph.project import project
from weaver.graph.recorded import write
from weaver.graph.variables import evaluate, parse
from weaver.recording import compact
from weaver.recording.limits import Limits
from weaver.recording.model import Trace
from weaver.recording.objects import original_builtins
from weaver.recording.operations import Operations
from weaver.recording.program import ProgramEnd, Script
from weaver.recording.reach import Reach
from weaver.recording.record import Recording

LIMITS = Limits(steps=60, elements=64, looks=5_000, nodes=2_000)


class Traced(AbstractContextManager):
    """Records the program at `path` while it is executed as the module `main`.

    All that it prints goes to the file at the path `output`. If it `has_graphs`, they can be asked for; if
    it `has_acts`, so can those.
    """

    def __init__(
        self,
        path: str,
        source: str,
        main: types.ModuleType,
        output: str,
        has_graphs: bool,
        has_acts: bool,
    ):
        self.path = path
        self.trace: Trace | None = None
        limits = replace(LIMITS, acts=has_acts)
        self.recording = Recording(Script(path, source), limits, output, has_graphs)
        self.watching = self.recording.watching(main, self.recording.lines())

    def __enter__(self) -> None:
        self.watching.__enter__()

    def __exit__(self, *error: object) -> None:
        self.watching.__exit__(*error)

    def graph(self, argument: str, namespace: dict[str, Any]) -> str:
        """Return the `Graph` that leads to the variables `a, b` of `a, b, backward=N`, as JSON.

        Raises what `project` and evaluating the variables raise, and TypeError for what is no tensor.
        """
        options = parse(argument)[1]
        backward = ast.literal_eval(options["backward"]) if "backward" in options else None
        calculation, roots = self.recording.calculation(dict(evaluate(argument, namespace)))
        return write(project(calculation, roots, backward))

    def text(self, error: str | None, start: int, end: int, has_acts: bool = False) -> str:
        """Return the compact form of the trace of a program that has ended, as it can be published.

        `error` is what ended it, `start` to `end` the bytes of its output that are the traceback. Only if it
        `has_acts` are they in it.
        """
        with original_builtins():
            self.trace = self.trace or self._ended(error, start, end)
            return compact.write(self.trace if has_acts else compact.without_acts(self.trace))

    def _ended(self, error: str | None, start: int, end: int) -> Trace:
        self.recording.ended = ProgramEnd(error and normalise(error), start, end)
        trace = self.recording.end()
        for step in trace.steps:
            step.printed = normalise(step.printed)
            step.raised = step.raised and normalise(step.raised)
            step.gap = step.gap and replace(step.gap, printed=normalise(step.gap.printed))
        last = normalise(trace.printed_at_end)
        return replace(trace, program=os.path.basename(self.path), printed_at_end=last)


def warming() -> AbstractContextManager:
    """Return what has torch load what it needs for graphs."""
    return Operations({}, Reach({}, Limits(tensors=0, items=0)))
