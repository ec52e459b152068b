"""Which gradients a line changes by hand."""

import re
from collections.abc import Iterator

from weaver.recording.repeated import has_called
from weaver.why.finding import Finding
from weaver.why.leaves import told
from weaver.why.run import WatchedRun

ZEROS = re.compile(r"=\s*0(\.0*)?(?![.\d])|zero|mask")  # in a line that makes some elements 0
OWN = {"zero", "step", "clip", "scale", "unscale"}  # acts that write gradients on their own


def find(run: WatchedRun) -> Iterator[Finding]:
    """Say which gradients lines change after a pass, and that zeros in them needn't keep a parameter."""
    for line, (index, places) in _edited(run).items():
        holders = [act.name for act in run.of("optimizer") if places & {*act.places} and act.name != "SGD"]
        has_zeros = bool(ZEROS.search(run.text(line))) and bool(holders)
        case, by = ("edited_zero", holders[0]) if has_zeros else ("edited", "")
        yield told(run, line, index, case, places, by, is_least=run.has_gap(-1, len(run.steps)))


def _edited(run: WatchedRun) -> dict[int, tuple[int, set[str]]]:
    """Return the parameters whose gradients a line changes that's no backward() and no part of torch's."""
    own = {one.step for one in run.passes} | {act.step for act in run.acts if act.kind in OWN}
    found: dict[int, tuple[int, set[str]]] = {}
    for index, step in enumerate(run.steps):
        # What a line called has lines of its own
        if step.gap or index in own or "grad" not in run.text(step.line) or has_called(run.steps, index):
            continue
        before = run.before(step)
        for name, state in step.tensors.items():
            old, leaf = before.get(name), step.tensors.get(owner := name.removesuffix(".grad"))
            is_other = owner in before and leaf and before[owner].place != leaf.place  # a loop's variable
            is_grad = name.endswith(".grad") and leaf and leaf.place in run.stepped
            if not is_grad or is_other or not old or not leaf or state.value is None:
                continue
            if old.value != state.value:  # a write may leave all as it was, such as nan_to_num()
                found.setdefault(step.line, (index, set()))[1].add(leaf.place)
    return found
