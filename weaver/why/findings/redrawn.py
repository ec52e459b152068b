"""A checkpoint that draws other random numbers when it's computed again."""

import ast
import re
from collections.abc import Iterator

from weaver.recording.lines import path
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun

DRAWS = re.compile(r"dropout|bernoulli|randn?_like", re.IGNORECASE)  # in a program's text


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find calls of checkpoint() that don't restore the generator's state, where a program draws numbers."""
    if not run.passes or not any(map(DRAWS.search, run.lines.texts)):
        return
    for line, index in run.first_steps.items():
        for part in run.expressions(line):
            function = (path(part.func) or "").rpartition(".")[2] if isinstance(part, ast.Call) else ""
            given = part.keywords if isinstance(part, ast.Call) and function.startswith("checkpoint") else []
            values = [one.value for one in given if one.arg == "preserve_rng_state"]
            if any(isinstance(value, ast.Constant) and value.value is False for value in values):
                yield Finding("redrawn", Severity.NOTE, line, index)
