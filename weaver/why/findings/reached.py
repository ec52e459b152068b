"""For which parameters each line's backward passes compute gradients, and which of these no step uses."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from weaver.recording.acts import Act
from weaver.why.finding import Finding
from weaver.why.findings.terms import firsts
from weaver.why.leaves import told
from weaver.why.names import variable
from weaver.why.run import WatchedPass, WatchedRun
from weaver.why.uses import uses, wasted
from weaver.why.values import is_zero


def find(run: WatchedRun) -> Iterator[Finding]:
    """Say for which leaves each line's passes compute gradients, if they differ, and which aren't used."""
    found: dict[int, tuple[int, set[str]]] = {}
    mixed = set[int]()  # lines with several models by one name
    has_gap = run.has_gap(-1, len(run.steps))  # where they may be something else
    for one in run.passes:
        none = {visit.node for visit in one.visits if all(map(is_zero, visit.received or ())) and not has_gap}
        given = {run.names.get(leaf) or leaf: leaf for leaf in one.given()}  # an input is another each time
        leaves = {*given.values()} - none  # gradients of 0 train nothing
        if one.of == "backward" and leaves:
            before = found.setdefault(one.line, (one.step, set()))[1]
            known = {run.names[leaf]: leaf for leaf in before if leaf in run.names}
            again = {leaf for leaf in leaves if known.get(run.names.get(leaf, ""), leaf) != leaf}
            renewed = {variable(run.names[leaf]) for leaf in again if "." in run.names[leaf]}  # another model
            before -= {leaf for leaf in before if variable(run.names.get(leaf, "")) in renewed}
            several = {leaf for leaf in again if variable(run.names[leaf]) not in renewed}
            before |= leaves - several
            mixed |= {one.line} if any("." in run.names[leaf] for leaf in several) else set()
    unused = wasted(run, *uses(run))
    is_told = len({frozenset(leaves) for _, leaves in found.values()}) > 1
    for line, (step, leaves) in found.items():
        if (is_told or unused) and any(run.names.get(leaf) for leaf in leaves) and line not in mixed:
            case = "reached_watched" if has_gap else "reached"  # where nobody watched, others may get them
            yield told(run, line, step, case, leaves)
            for by, places in unused.get(line, {}).items():
                if places & leaves:
                    yield told(run, line, step, "wasted", places & leaves, also=by)
    for line, (step, leaves) in _several(run).items():
        yield told(run, line, step, "several", leaves)
    for (line, lines), (act, leaves) in _summed(run).items():
        fact = told(run, line, act.step, "summed", leaves, act.name)
        yield replace(fact, fields={**fact.fields, "also": ", ".join(map(str, lines))})


def _summed(run: WatchedRun) -> dict[tuple[int, tuple[int, ...]], tuple[Act, set[str]]]:
    """Return the leaves for which a step uses a sum of gradients from several lines' passes.

    By the step's line and the passes' lines, with the first such step. Where nobody watched, more passes may
    have added to a gradient, until it's reset.
    """
    lines: dict[str, set[int]] = {}  # of the passes since a leaf's gradient was reset or used
    reset: set[str] | None = None  # leaves whose gradients were reset since something wasn't watched
    found: dict[tuple[int, tuple[int, ...]], tuple[Act, set[str]]] = {}
    for one in run.in_order():
        if one is None:
            lines, reset = {}, set()
        elif isinstance(one, WatchedPass):
            for leaf in one.given():
                lines.setdefault(leaf, set()).add(one.line)
        elif one.kind in ("step", "zero"):
            for leaf in one.places:
                passed = lines.pop(leaf, set())
                is_sure = one.step >= 0 and (reset is None or leaf in reset)
                if one.kind == "step" and is_sure and len(passed) > 1 and leaf not in run.in_closures:
                    found.setdefault((one.line, (*sorted(passed),)), (one, set()))[1].add(leaf)
            if one.kind == "zero" and reset is not None:
                reset |= {*one.places}
    return found


def _several(run: WatchedRun) -> dict[int, tuple[int, set[str]]]:
    """Return the parameters that each line's first pass reached by several ways, with its step.

    Where it reached all of them so, as in a recurrent network, or a discriminator that sees two batches,
    that's no news.
    """
    found: dict[int, tuple[int, set[str]]] = {}
    for one in firsts(run):
        nodes = (run.nodes[id] for id in one.ids() if id in run.nodes)
        edges = ((node, place) for node in nodes for place in node.next if place in run.stepped)
        # One call, such as normalize(), may use it in different operations
        uses = Counter((place, run.made(node), node.name) for node, place in edges)
        steps = Counter(place for place, _ in {(place, step) for place, step, _ in uses})
        several = {place for (place, _, _), n in uses.items() if n > 1 or steps[place] > 1}
        if several < steps.keys() and any(map(run.names.get, several)):
            found[one.line] = one.step, several
    return found
