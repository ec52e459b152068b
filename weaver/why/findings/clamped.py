"""Where a clamp always keeps the gradient from some elements."""

from collections.abc import Iterator

from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun
from weaver.why.values import size, zeros

CLAMPS = "ClampBackward", "ClampMinBackward", "ClampMaxBackward", "HardtanhBackward"
FEW = 2  # passes


def find(run: WatchedRun) -> Iterator[Finding]:
    """Say on which lines some elements were beyond a clamp's limits whenever a pass went through it."""
    found: dict[int, list[tuple[int, int, int]]] = {}  # line -> of each pass: step, elements blocked, and all
    for one in run.passes:
        for visit in one.visits:
            node = run.nodes.get(visit.node or "")
            step = run.made(node) if node and node.name.startswith(CLAMPS) else -1
            if step >= 0 and visit.received and visit.passed:
                arrived, left = visit.received[0], visit.passed[0]
                counts = step, zeros(left) - zeros(arrived), size(left)
                found.setdefault(run.steps[step].line, []).append(counts)
    for line, several in found.items():
        step, blocked, whole = several[0]
        if len(several) >= FEW and all(n > 0 for _, n, _ in several):
            fields = {"n": str(blocked), "whole": str(whole)}
            yield Finding("trained", Severity.FACT, line, step, None, "clamped", fields)
