"""Where a clamp keeps the gradient from some elements in each pass, or nothing is selected in any."""

from collections.abc import Iterator

from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun
from weaver.why.values import size, zeros

CLAMPS = "ClampBackward", "ClampMinBackward", "ClampMaxBackward", "HardtanhBackward"
SELECTIONS = "IndexBackward", "MaskedSelectBackward", "IndexSelectBackward"
FEW = 2  # passes: in one, a clamp may have met an exception

Counts = tuple[int, int, int]  # the step that recorded a node, elements that got no gradient, all elements


def find(run: WatchedRun) -> Iterator[Finding]:
    """Say on which lines elements were beyond a clamp's limits, or none was selected, in every pass."""
    clamped: dict[int, list[Counts]] = {}
    selected: dict[int, list[Counts]] = {}
    for one in run.passes:
        for visit in one.visits:
            node = run.nodes.get(visit.node or "")
            step = run.made(node) if node and node.name.startswith(CLAMPS + SELECTIONS) else -1
            if node and step >= 0 and visit.received and visit.passed:
                arrived, left = visit.received[0], visit.passed[0]
                of_line = clamped if node.name.startswith(CLAMPS) else selected
                counts = step, zeros(left) - zeros(arrived), size(left if of_line is clamped else arrived)
                of_line.setdefault(run.steps[step].line, []).append(counts)
    for line, several in clamped.items():
        step, blocked, whole = several[0]
        if len(several) >= FEW and all(n > 0 for _, n, _ in several):
            fields = {"n": str(blocked), "whole": str(whole)}
            yield Finding("trained", Severity.FACT, line, step, None, "clamped", fields)
    for line, several in selected.items():
        if not any(whole for _, _, whole in several):
            yield Finding("trained", Severity.FACT, line, several[0][0], None, "empty")
