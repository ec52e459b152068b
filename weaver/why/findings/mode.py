"""Dropout and batch normalization work as in training where they shouldn't, or the other way round."""

from collections.abc import Iterator

from weaver.recording.acts import Act
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedPass, WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find training in evaluation mode, and evaluation in training mode."""
    yield from _trained(run)
    yield from _evaluated(run)


def _trained(run: WatchedRun) -> Iterator[Finding]:
    """Find steps of an optimizer whose forward pass ran in evaluation mode, since a call of `eval()`."""
    off: Act | None = None
    layers: list[Act] = []
    for one in run.in_order():
        if isinstance(one, WatchedPass):
            continue
        if one.kind == "mode":
            off = None if one.on else one
        elif one.kind == "layer" and one.records:
            layers = [*(other for other in layers if other.run == one.run), one]
        elif one.kind == "step" and off and layers and layers[-1].run == one.run - 1:
            is_whole = {*one.places} <= {*off.places}
            if is_whole and not any(layer.on for layer in layers):
                yield Finding(
                    "mode", Severity.WRONG, off.line, one.step, one.line, "trained", {"name": off.name}
                )
                return


def _evaluated(run: WatchedRun) -> Iterator[Finding]:
    """Find forward passes of a training program that no backward pass follows, with dropout at work."""
    if not run.of("step"):
        return
    used = {id for one in run.passes for id in one.ids()}
    calls: dict[int, list[tuple[bool, Act]]] = {}  # line of the call -> whether it was trained on
    for act in (one for one in run.of("layer") if one.step >= 0):
        step = run.steps[act.step]
        at = next((i for i in range(act.step, len(run.steps)) if run.steps[i].depth == 0), act.step)
        made = (node for node in run.nodes.values() if act.step <= run.made(node) <= at)
        is_used = act.records and any(node.id in used for node in made)
        outer = _call(run, act.step)
        calls.setdefault(run.steps[outer].line if outer >= 0 else step.line, []).append((is_used, act))
    for line, found in calls.items():
        trained, acts = [one for one, _ in found], [act for _, act in found if act.on]
        if acts and not any(trained):
            case = "dropout" if any("dropout" in act.name for act in acts) else "batch_norm"
            is_dropout = case == "dropout"  # batch statistics are what samples of a GAN are made with
            yield Finding(
                "mode", Severity.WRONG if is_dropout else Severity.NOTE, line, acts[0].step, None, case
            )


def _call(run: WatchedRun, index: int) -> int:
    """Return the step of the line that called the model: the outermost one that calls a forward."""
    depth = run.steps[index].depth
    for at in range(index, len(run.steps)):
        step = run.steps[at]
        if step.depth < depth:
            if step.function != "forward":
                return at
            depth = step.depth
    return index
