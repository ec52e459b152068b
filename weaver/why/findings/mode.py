"""Dropout and batch normalization work as in training where they shouldn't, or the other way round."""

import ast
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator

from weaver.recording.acts import MOST, Act
from weaver.recording.lines import path
from weaver.recording.model import TensorState, id_of
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedPass, WatchedRun

SOME = 5  # calls of a line that are looked at
DROPOUT = re.compile(r"Dropout(\dd)?$")
ASKS = re.compile(r"\bself\.training\b")
LINES = 2  # of such that are told
RECORDED = 5  # nodes, at least, that are worth a remark
FAR = 200  # steps after which what was computed isn't looked for


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find training in evaluation mode, and evaluation in training mode."""
    yield from _trained(run)
    yield from _evaluated(run)
    yield from _frozen(run)
    yield from _recorded(run)
    yield from _remade(run)


def _remade(run: WatchedRun) -> Iterator[Finding]:
    """Find a line in a function that makes a dropout layer and calls it, which no `eval()` reaches."""
    for line, index in run.first_steps.items():
        calls = (one.func for one in run.expressions(line) if isinstance(one, ast.Call))
        made = (path(one.func) or "" for one in calls if isinstance(one, ast.Call))
        if run.steps[index].depth and any(DROPOUT.search(name) for name in made):
            yield Finding("mode", Severity.WRONG, line, index, None, "remade")
            return


def _trained(run: WatchedRun) -> Iterator[Finding]:
    """Find steps of an optimizer whose forward pass ran in evaluation mode, since a call of `eval()`."""
    off: dict[int, Act] = {}  # module -> the first call of its `eval()` since any of `train()`
    layers: list[Act] = []
    asking = next((line for line, text in enumerate(run.lines.texts, 1) if ASKS.search(text)), 0)
    for one in run.in_order():
        if one is None:
            layers = []
        if one is None or isinstance(one, WatchedPass):
            continue
        if one.kind == "mode" and one.on:  # which is heard also where nobody watches
            off.clear()
        elif one.kind == "mode":
            off.setdefault(one.of, one)
        elif one.kind == "layer" and one.records:
            layers = [*(other for other in layers if other.run == one.run), one]
        elif one.kind == "step":
            # A frozen part stays as it is
            whole = [act for act in off.values() if {*one.places} <= {*act.places} <= run.stepped]
            is_off = bool(layers) and layers[-1].run == one.run - 1 and not any(each.on for each in layers)
            if whole and (is_off or (asking and not layers)):
                fields = {"name": whole[0].name} | ({} if is_off else {"shown": str(asking)})
                case = "trained" if is_off else "asked"
                yield Finding("mode", Severity.WRONG, whole[0].line, one.step, one.line, case, fields)
                return
    does_drop = any(act.on for act in run.of("layer"))
    for act in off.values():
        if act.step >= 0 and _goes_on(run, act) and (does_drop or asking):
            case = "trained" if does_drop else "asked"
            yield Finding("mode", Severity.WRONG, act.line, act.step, None, case, {"name": act.name})
            return


def _goes_on(run: WatchedRun, off: Act) -> bool:
    """Tell whether optimizers, which hold parts of one module, stepped after its last call of `eval()`."""
    makers = run.of("optimizer")
    held = {place for act in makers for place in act.places}
    is_whole = bool(held) and held <= {*off.places} <= run.stepped
    return is_whole and off.steps < sum(act.steps for act in makers) and len(run.acts) < MOST


def _frozen(run: WatchedRun) -> Iterator[Finding]:
    """Find frozen batch normalization that works as in training before a step of an optimizer."""
    last = max((act.run for act in run.of("step")), default=0)
    acts = [act for act in run.of("layer") if act.on and act.records and act.run < last and act.step >= 0]
    weights = ((next(iter(act.places), ""), act) for act in reversed(acts))
    found = {place: act for place, act in weights if place[:1] == "p" and place in run.names}
    last_in = {id: one.number for one in run.passes for id in one.ids()}
    found = {place: act for place, act in found.items() if last_in.get(f"l{place[1:]}", -1) < act.run}
    names = sorted({run.names[place].rpartition(".")[0] for place in found})
    if names:
        act = min(found.values(), key=lambda one: one.step)
        fields = {"name": names[0], "more": str(len(names) - 1)}
        yield Finding("mode", Severity.NOTE, act.line, act.step, None, "frozen", fields)


def _recorded(run: WatchedRun) -> Iterator[Finding]:
    """Find the lines that record most for no pass, of those in evaluation mode and of those in training."""
    modes = [*_off(run)]
    begun = [step for step, _ in modes]
    used = {id for one in run.passes for id in one.ids()}
    found: dict[int, Counter[int]] = {}  # line of the call -> its steps -> nodes
    meant: set[int] = set()
    training: set[int] = set()
    made = [(node, at) for node in run.trace.nodes if run.of("step") and (at := run.made(node)) >= 0]
    calls = {at: _call(run, at) for at in {at for _, at in made}}
    leaves: dict[int, set[str]] = {}  # that the line of a call uses
    for node, at in made:
        leaves.setdefault(calls[at], set()).update(place for place in node.next if place)
    for node, at in made:
        last = bisect_right(begun, at) - 1
        outer = calls[at]
        line = run.steps[outer].line
        is_off = last >= 0 and not modes[last][1].isdisjoint(leaves[outer])
        if node.id in used or _may_be_used(run, at, outer, is_off):
            meant.add(line)
            continue
        found.setdefault(line, Counter())[outer] += 1
        if not is_off:
            training.add(line)
    idle = {line: steps for line, steps in found.items() if line not in meant}
    counts = {line: (*steps.most_common(1)[0], len(steps)) for line, steps in idle.items()}
    for case in "recorded", "unused":
        own = {line: one for line, one in counts.items() if (line in training) == (case == "unused")}
        for line, (at, n, times) in sorted(own.items(), key=lambda one: -one[1][1])[:LINES]:
            if n >= RECORDED and (times > 1 or case == "recorded"):  # else it may be a try
                yield Finding("mode", Severity.NOTE, line, at, None, case, {})


def _off(run: WatchedRun) -> Iterator[tuple[int, set[str]]]:
    """Yield the steps that put a module into a mode, with the leaves of those in evaluation mode then."""
    off = set[str]()
    for act in run.of("mode"):
        off = off.difference(act.places) if act.on else off.union(act.places)
        if act.step >= 0:
            yield act.step, off


def _may_be_used(run: WatchedRun, at: int, outer: int, is_off: bool) -> bool:
    """Tell whether a pass that nobody watched may go through what a step recorded."""
    end = run.end(outer)
    last = end if is_off else next((one.step for one in run.passes if one.step > end), len(run.steps) - 1)
    return any(step.gap and step.gap.runs for step in run.steps[at + 1 : last + 1])


def _evaluated(run: WatchedRun) -> Iterator[Finding]:
    """Find forward passes of a training program that no backward pass follows, with dropout at work."""
    used = {id for one in run.passes for id in one.ids()}
    trained_on = sorted(run.made(run.nodes[id]) for id in used if id in run.nodes)
    calls: dict[
        int, list[tuple[bool, int, Act]]
    ] = {}  # line of the call -> whether it was trained on, its step
    is_trained = is_switched = False  # whether an optimizer has stepped, and nobody has called train() since
    switched = -1  # the step in which it was called, or before a gap in which it was
    off: set[int] = set()  # steps of layers that worked although eval() was called last
    is_off = False
    for act in run.acts:
        if act.kind == "step":
            is_trained, is_switched = True, False
        elif act.kind == "mode":
            is_switched, is_off = is_switched or act.on, not act.on
            is_own = act.step >= 0 and run.steps[act.step].line == act.line
            switched = (act.step if is_own else act.step - 1) if act.on else switched
        if act.kind != "layer" or act.step < 0:
            continue
        if is_off:
            off.add(act.step)
        step = run.steps[act.step]
        at = next((i for i in range(act.step, len(run.steps)) if run.steps[i].depth == 0), act.step)
        is_used = act.records and bisect_left(trained_on, act.step) < bisect_right(trained_on, at)
        is_meant = not is_trained or is_switched or _is_asked(run, step.line)
        if is_trained and is_switched and run.has_gap(switched, act.step):
            continue  # an optimizer may have stepped since
        outer = _call(run, act.step)
        if not is_used and run.has_gap(act.step, run.end(outer)):
            continue  # nobody knows what became of it
        calls.setdefault(run.steps[outer].line, []).append((is_used or is_meant, outer, act))
    for line, found in calls.items():
        acts = [(outer, act) for _, outer, act in found if act.on]
        is_meant = any(one for one, _, _ in found)
        if acts and not is_meant and not any(_feeds(run, act.step, at, used) for at, act in acts[:SOME]):
            case = "dropout" if any("dropout" in act.name for _, act in acts) else "batch_norm"
            is_dropout = case == "dropout"
            if is_dropout and all(act.step in off for _, act in acts):
                case = "unreached"
            # Batch statistics are what samples of a GAN are made with
            severity = Severity.WRONG if is_dropout else Severity.NOTE
            yield Finding("mode", severity, line, acts[0][0], None, case)


def _is_asked(run: WatchedRun, line: int) -> bool:
    """Tell whether a line says itself when dropout works: `F.dropout(x, training=True)`."""
    given = (
        one.value
        for node in run.expressions(line)
        if isinstance(node, ast.Call) and "dropout" in (path(node.func) or "")
        for one in node.keywords
        if one.arg == "training"
    )
    return any(not (path(value) or "").endswith(".training") for value in given)


def _feeds(run: WatchedRun, start: int, index: int, used: set[str]) -> bool:
    """Tell whether what a step's forward pass computed is data of a loss later: a target, a GAN's sample.

    It began at the step `start`; it goes on into what other lines compute from it without a graph.
    """
    depth = run.steps[index].depth
    places = set[str]()
    last: dict[int, dict[str, TensorState]] = {}  # depth -> the state there
    for at in range(index, min(index + FAR, len(run.steps))):
        step = run.steps[at]
        before = last.get(step.depth, {}) if step.before is None else step.before
        names = {path(node) for node in run.expressions(step.line) if isinstance(node, ast.expr)}
        is_read = any(before[name].place in places for name in names if name in before)
        if is_read or at == index or step.depth < depth:
            first = at if is_read else start
            places |= {one.place for one in step.tensors.values() if run.seen[one.place] >= first}
        depth = min(depth, step.depth)
        last[step.depth] = step.tensors
    return any(edge.start in places and id_of(edge.end) in used for edge in run.trace.edges)


def _call(run: WatchedRun, index: int) -> int:
    """Return the step of the outermost line that called a forward, or that step itself."""
    found = index
    while (caller := run.callers[index]) != index:
        found = caller if run.steps[index].function == "forward" else found
        index = caller
    return found
