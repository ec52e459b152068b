"""All gradients of a parameter are 0 in every step, or those of several paths cancel out."""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

from weaver.recording.acts import Act
from weaver.recording.compact import shape_of
from weaver.recording.lines import path
from weaver.recording.model import Event, Node, id_of
from weaver.why.finding import Finding, Severity
from weaver.why.findings.terms import firsts, zeros
from weaver.why.run import WatchedPass, WatchedRun
from weaver.why.values import is_zero

FEW = 3  # steps with gradients of 0 that may be a coincidence
# Nodes that add, and at which places: what they pass there is a sum, which cancels out in a difference
ADDING = {
    "AddmmBackward0": (0,),
    "AddBackward0": (0, 1),
    "SubBackward0": (0, 1),
    "ConvolutionBackward0": (2,),
}
DRAWN = ("Normal", "Bernoulli", "Poisson", "Exponential", "LogNormal", "Cauchy", "Geometric")
STRAIGHT = ("ThresholdBackwardBackward", "LeakyReluBackwardBackward")  # the derivatives of lines
ROUNDED = ("Round", "Floor", "Ceil", "Trunc", "Sign", "Sgn")


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find parameters whose gradients are always 0, or from some step on, and where all cancel out."""
    yield from [*_normalized(run), *_dead(run)] or [*_straight(run)] or _crossing(run)
    yield from _idle(run)
    yield from _second(run)
    yield from _ended(run)


def _dead(run: WatchedRun) -> Iterator[Finding]:
    """Find parameters whose gradients are 0 in all steps of an optimizer, and the node that makes them 0."""
    makers = {act.of: act for act in run.of("optimizer")}
    for of, several in run.stepping.items():
        dead = always_zero(several, makers.get(of))
        own = {act.run - 1 for act in several}
        passes = [one for one in run.passes if one.number in own] or run.passes if dead else []
        passes = sorted(passes, key=lambda one: not _reaches(one))  # else it's what makes all others 0
        if found := next((finding for one in passes if (finding := _zeroed(run, one, dead))), None):
            yield replace(found, fields=found.fields | {"also": str(several[0].line)})
            return


def _normalized(run: WatchedRun) -> Iterator[Finding]:
    """Find a layer norm over one element, and the leaves that only lead there: rounding is all they get."""
    for one in run.passes if run.stepped else ():
        norms = [id for id in one.ids() if id in run.nodes and _is_norm_of_one(run.nodes[id])]
        if not norms:
            continue
        inputs = [place for id in norms for place in run.nodes[id].next[:1] if place]
        others = {place for id in norms for place in run.nodes[id].next[1:] if place}
        apart = run.behind(one.roots, {*norms}) | run.behind(others)
        if leaves := (run.behind(inputs) & run.stepped) - apart:
            at = run.made(run.nodes[norms[0]])
            line = run.steps[at].line if at >= 0 else one.line
            fields = run.named(leaves) | {"node": run.nodes[norms[0]].name}
            yield Finding("zero", Severity.WRONG, line, one.step, one.line, "norm", fields)
            return


def _reaches(one: WatchedPass) -> bool:
    """Tell whether a leaf gets a gradient in a pass that isn't 0."""
    leaves = (visit for visit in one.visits if (visit.node or "")[:1] == "l")
    return any(not is_zero(value) for visit in leaves for value in visit.received or ())


def always_zero(steps: list[Act], maker: Act | None) -> set[str]:
    """Return the leaves with gradients of 0 in all of several steps, and in those that nobody watched.

    Of the latter, the maker's `updated` knows the 1st, 2nd, 4th step and so on.
    """
    seen: dict[str, list[str]] = {}
    for place, grad in (pair for act in steps for pair in act.pairs()):
        seen.setdefault(place, []).append(grad)
    zeros = {place: len(grads) for place, grads in seen.items() if {*grads} == {"zero"}}
    least = 1 if maker and maker.steps > FEW else FEW
    return {place for place, n in zeros.items() if n >= least} - {*(maker.updated if maker else ())}


def _zeroed(run: WatchedRun, one: WatchedPass, dead: set[str]) -> Finding | None:
    """Return what makes the gradients of leaves 0 that a pass visits, if that's known."""
    leaves: set[str | None] = {visit.node for visit in one.visits if visit.node in dead}
    if leaves and (found := _zeroing(run, one, leaves)):
        visit, reached = found
        node = run.nodes[visit.node or ""]
        at = run.made(node)
        if _is_norm_of_one(node):
            return None
        line = _made_zero(run, node) or (run.steps[at].line if at >= 0 else one.line)
        fields = run.named(reached) | {"node": node.name}
        kinds = {"sampled": DRAWN, "rounded": ROUNDED}
        case = "softmax" if _is_of_one(node) else ""
        case = next((kind for kind, names in kinds.items() if node.name.startswith(names)), case)
        return Finding("zero", Severity.WRONG, line, one.step, one.line, case, fields)
    canceled = _canceled(run, one, {leaf for leaf in leaves if leaf})
    # The last bias alone cancels out in a difference of two outputs, as in a WGAN
    if all(run.names.get(leaf, "bias").endswith("bias") for leaf in canceled):
        return None
    line = _subtracted(run, one, canceled) or one.line
    drawn = _drawn(run, line, canceled)
    fields, case = run.named(canceled) | {"leaf": drawn}, "drawn" if drawn else "canceled"
    return Finding("zero", Severity.WRONG, line, one.step, one.line, case, fields)


def _drawn(run: WatchedRun, line: int, leaves: set[str]) -> str:
    """Return what a line takes the log-probability of, if that has a graph back to leaves, else ""."""
    before = run.before(run.steps[run.first_steps[line]])
    for part in run.expressions(line):
        if isinstance(part, ast.Call) and (path(part.func) or "").endswith(".log_prob") and part.args:
            name = path(part.args[0]) or ""
            if name in before and run.behind([before[name].place]) & leaves:
                return name
    return ""


def _crossing(run: WatchedRun) -> Iterator[Finding]:
    """Find a tensor at which the gradients of a difference and of what it's added to always cancel out."""
    found: dict[int, list[tuple[WatchedPass, str]]] = {}  # line that made the tensor -> where
    times = Counter[int]()
    for one in run.passes if run.stepped else ():
        canceled = {run.made(run.nodes[id]): id for id in _canceling(run, one) if _is_all(run, one, id)}
        visited = {run.made(run.nodes[id]) for id in one.ids() if id in run.nodes}
        times.update({run.steps[at].line for at in visited if at >= 0})
        for at, id in canceled.items():
            if at >= 0:
                found.setdefault(run.steps[at].line, []).append((one, id))
    for line, several in found.items():
        one, id = several[0]
        difference = _subtracted(run, one, {id})
        names = [name for place, name in run.names.items() if id_of(place) == id]
        if difference and names and len(several) == times[line] >= FEW:
            fields = {"name": names[0]}
            yield Finding("zero", Severity.WRONG, difference, one.step, one.line, "crossing", fields)
            return


def _straight(run: WatchedRun) -> Iterator[Finding]:
    """Find a tensor to which a difference is added that subtracts it, as in `x + (q - x)`."""
    for one in run.passes if run.stepped else ():
        known = (run.nodes[id] for id in one.ids() if id in run.nodes)
        for node in (each for each in known if each.name == "AddBackward0"):
            for place, other in permutations(filter(None, node.next), 2):
                taken = run.nodes.get(id_of(other))
                is_taken = taken and taken.name == "SubBackward0" and taken.next[1:] == (place,)
                if taken and is_taken and all(each.value == 1 for each in (*node.saved, *taken.saved)):
                    at, fields = run.made(node), {"name": run.names.get(place, "")}
                    line = run.steps[at].line if at >= 0 else one.line
                    yield Finding("zero", Severity.WRONG, line, one.step, one.line, "straight", fields)
                    return


def _idle(run: WatchedRun) -> Iterator[Finding]:
    """Find named parts of a loss from which only zeros flow back in each pass of a line."""
    for first in firsts(run):
        for name in (one for one, case in zeros(run, first).items() if case == "part"):
            yield Finding("zero", Severity.NOTE, first.line, first.step, None, "part", {"name": name})


def _second(run: WatchedRun) -> Iterator[Finding]:
    """Find lines by which a gradient of a gradient is always 0, as it comes through a ReLU."""
    found: dict[int, list[tuple[int, str]]] = {}  # line -> the steps, and what's 0 after them
    times = Counter[int]()
    for one in run.passes:
        kinds = {run.nodes[id].name for id in one.ids() if id in run.nodes}
        if one.of != "grad" or not any(kind.startswith(STRAIGHT) for kind in kinds):
            continue
        step = run.steps[one.step]
        before = {state.place for state in run.before(step).values()}
        fresh = [(name, state) for name, state in step.tensors.items() if state.place not in before]
        times[one.line] += 1
        if fresh and all(is_zero(state.value) for _, state in fresh):
            found.setdefault(one.line, []).append((one.step, fresh[0][0]))
    for line, several in found.items():
        if len(several) == times[line] >= FEW:
            at, name = several[0]
            yield Finding("zero", Severity.WRONG, line, at, None, "second", {"name": name})


def _ended(run: WatchedRun) -> Iterator[Finding]:
    """Find optimizers that used gradients other than 0, but from some step on nothing else.

    With a loss of 0 nothing is left to learn.
    """
    for several in run.stepping.values():
        kinds = [{*act.grads} for act in several]
        last = next((at for at in range(len(several), 0, -1) if not kinds[at - 1] <= {"zero", "none"}), 0)
        dead = {place for act in several[last:] for place, grad in act.pairs() if grad == "zero"}
        if last and dead and len(several) - last >= FEW and _has_loss(run, first := several[last]):
            yield Finding("zero", Severity.NOTE, first.line, first.step, None, "ended", {"by": first.name})


def _has_loss(run: WatchedRun, act: Act) -> bool:
    """Tell whether the pass before a step started at a loss that isn't 0."""
    roots = {place: one for one in run.passes if one.number == act.run - 1 for place in one.roots}
    states = (state for one in roots.values() for state in run.steps[one.step].tensors.values())
    return any(state.place in roots and not is_zero(state.value) for state in states)


def _is_all(run: WatchedRun, one: WatchedPass, id: str) -> bool:
    """Tell whether no gradient reaches what a node was computed from on another path either."""
    if id not in run.nodes:
        return False
    inputs = {id_of(place) for place in run.nodes[id].next if place}
    visits = (visit for visit in one.visits if visit.node in inputs)
    return all(is_zero(value) for visit in visits for value in visit.received or ())


def _canceled(run: WatchedRun, one: WatchedPass, leaves: set[str]) -> set[str]:
    """Return those of some leaves that get only zeros as several gradients, there or before, add up to 0."""
    return leaves & run.behind(_canceling(run, one))


def _canceling(run: WatchedRun, one: WatchedPass) -> set[str]:
    """Return the ids of nodes and leaves at which several gradients arrive that add up to 0."""
    parts = Counter[str]()
    for visit in one.visits:
        for place, value in zip(_next(run, visit), visit.passed or (), strict=False):
            parts[id_of(place or "")] += value is not None and not is_zero(value)
    sums = (visit for visit in one.visits if parts[visit.node or ""] > 1)
    return {visit.node or "" for visit in sums if all(map(is_zero, visit.received or ()))}


def _next(run: WatchedRun, visit: Event) -> tuple[str | None, ...]:
    node = run.nodes.get(visit.node or "")
    return node.next if node else ()


def _subtracted(run: WatchedRun, one: WatchedPass, leaves: set[str]) -> int | None:
    """Return the line of the first difference in a pass of which both sides, or one, lead to some leaves."""
    found = []
    for visit in one.visits:
        node = run.nodes.get(visit.node or "")
        if node and node.name == "SubBackward0" and (at := run.made(node)) >= 0:
            sides = sum(bool(run.behind([place]) & leaves) for place in node.next if place)
            found += [(-sides, run.steps[at].line)] if sides else []
    return min(found, key=lambda pair: pair[0])[1] if found else None


def _is_of_one(node: Node) -> bool:
    """Tell whether a node is a softmax over a dimension of size 1, which is always 1."""
    saved = {one.name: one.value for one in node.saved}
    result, dim = saved.get("result"), saved.get("dim")
    if node.name not in ("SoftmaxBackward0", "LogSoftmaxBackward0") or not isinstance(dim, int):
        return False
    shape = shape_of(result)
    dim -= 2**64 if dim > 2**63 else 0  # as torch tells a negative one
    return -len(shape) <= dim < len(shape) and shape[dim] == 1


def _is_norm_of_one(node: Node) -> bool:
    """Tell whether a node is a layer norm over one element, which gives its bias whatever comes in."""
    sizes = [one.value for one in node.saved if one.name.startswith("normalized_shape")]
    return node.name == "NativeLayerNormBackward0" and bool(sizes) and {*sizes} == {1}


def _made_zero(run: WatchedRun, node: Node) -> int | None:
    """Return the line that made the all-zero parameter that a node multiplies by, or None."""
    for saved in node.saved:
        base = run.base(saved.place or "")
        at = run.first([base]) if base[:1] == "l" and is_zero(saved.value) else None
        if at is not None:
            return run.steps[at].line
    return None


def _zeroing(run: WatchedRun, one: WatchedPass, leaves: set[str | None]) -> tuple[Event, set[str]] | None:
    """Return the visit that receives something other than 0 and passes only 0 toward most of some leaves.

    And these leaves. Of several it's the last, as what it receives came around the others. A product comes
    after all others: it's 0 where the other factor is, which may be the same unit's.
    """
    found: list[tuple[bool, int, int, Event, set[str]]] = []
    for number, visit in enumerate(one.visits):
        node = run.nodes.get(visit.node or "")
        if not node or all(value is None or is_zero(value) for value in visit.received or ()):
            continue
        if node.name == "MulBackward0" and any(one.value == 0 for one in node.saved):
            continue  # a weight of 0, which the program chose
        passed = enumerate(zip(node.next, visit.passed or (), strict=False))
        added = ADDING.get(node.name, ())
        zeroed = [
            place
            for index, (place, value) in passed
            if index not in added and place and value is not None and is_zero(value)
        ]
        if reached := {leaf for leaf in run.behind(zeroed) if leaf in leaves}:
            found.append((node.name == "MulBackward0", -len(reached), -number, visit, reached))
    return min(found, key=lambda one: one[:3])[3:] if found else None
