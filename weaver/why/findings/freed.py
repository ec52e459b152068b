"""A backward pass meets a graph that an earlier one has freed."""

import re
from collections.abc import Iterator

from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find the line that tied what's new to the freed graph; if nothing is new, the second pass itself."""
    for one in run.passes:
        failed = one.failed
        if not failed or not failed.node or "second time" not in (failed.text or ""):
            continue
        earlier = next((other for other in run.passes if failed.node in other.freed), None)
        if not earlier:
            continue
        old = earlier.ids()
        new = [run.nodes[id] for id in run.behind(one.roots) - old if id in run.nodes]
        ties = [run.made(node) for node in new if any(p and p.partition(".")[0] in old for p in node.next)]
        later = [step for step in ties if step > earlier.step]
        told = {"first": str(run.place(earlier.line)[1])}
        if later:
            line = _carrier(run, min(later), old)
            yield Finding("freed", Severity.FAILS, line, one.step, one.line, "carried", told)
        else:
            yield Finding("freed", Severity.FAILS, earlier.line, one.step, one.line, "again", told)


def _carrier(run: WatchedRun, index: int, old: set[str]) -> int:
    """Return the outermost line around a step that reads a variable which leads into the old graph."""
    step = run.steps[index]
    line, depth = step.line, step.depth
    for step in run.steps[index:]:
        if step.depth < depth or step is run.steps[index]:
            depth = step.depth
            words = set(re.findall(r"\w+", run.text(step.line)))
            states = run.before(step).items()
            names = {name for name, state in states if state.place.partition(".")[0] in old}
            if any(words >= set(re.findall(r"[^\W\d]\w*", name)) for name in names):
                line = step.line
    return line
