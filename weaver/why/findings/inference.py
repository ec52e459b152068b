"""A tensor from inference mode goes into what autograd records, which fails."""

from collections.abc import Iterator

from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun

FAILED = "Inference tensors cannot be saved for backward"


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find the line that switched inference mode on where such a tensor was made."""
    if FAILED not in (run.trace.error or "") or not run.steps:
        return
    last = run.failed_at
    for name, state in run.before(run.steps[last]).items():
        if state.version is None and state.place[:1] == "p" and (line := _switch(run, last)):
            fields = {"name": name, "by": "torch.inference_mode()"}
            yield Finding("inference", Severity.FAILS, line, last, run.steps[last].line, "", fields)
            return


def _switch(run: WatchedRun, before: int) -> int | None:
    """Return the line that switched inference mode on last before a step, or the only one that can have."""
    lines = {one.lineno for one in run.lines.every()}
    every = {found[0] for line in lines if (found := run.lines.guard(line)) and found[1] == "inference_mode"}
    ran = [guard for step in run.steps[:before] if (guard := run.guard(step.line)) in every]
    return ran[-1] if ran else every.pop() if len(every) == 1 else None
