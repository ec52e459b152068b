"""What carries a graph from one backward pass into another."""

import re

from weaver.recording.model import Node, id_of
from weaver.why.run import WatchedPass, WatchedRun


def parts(run: WatchedRun, one: WatchedPass, earlier: WatchedPass) -> tuple[list[Node], set[str], list[int]]:
    """Return a pass's nodes made after an earlier one, the others' ids, and the steps that tied these."""
    graph = [run.nodes[id] for id in run.behind(one.roots) if id in run.nodes]
    new = [node for node in graph if run.made(node) > earlier.step]
    old = {node.id for node in graph} - {node.id for node in new}
    ties = [run.made(node) for node in new if any(place and id_of(place) in old for place in node.next)]
    return new, old, ties


def carrier(run: WatchedRun, index: int, old: set[str]) -> tuple[int, str]:
    """Return the outermost line around a step that reads a variable which leads into the old graph.

    And the variable, "" if there's none.
    """
    step = run.steps[index]
    line, depth, read = step.line, step.depth, ""
    for step in run.steps[index:]:
        if step.depth < depth or step is run.steps[index]:
            depth = step.depth
            words = set(re.findall(r"\w+", run.text(step.line)))
            states = run.before(step).items()
            names = {name for name, state in states if id_of(state.place) in old}
            found = [name for name in names if words >= set(re.findall(r"[^\W\d]\w*", name))]
            if found:
                line, read = step.line, min(found)
    return line, read
