"""Gradients that another model's parameters lend to an optimizer, and that its reset doesn't reach."""

from collections.abc import Iterator

from weaver.why.finding import Finding, Severity
from weaver.why.names import variable
from weaver.why.run import WatchedRun
from weaver.why.values import is_zero


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find a pass that adds to gradients which an optimizer used by way of other parameters, as in A3C."""
    shared = _shared(run)
    steps = [(act.run, {place for place, grad in act.pairs() if grad == "some"}) for act in run.of("step")]
    held = {place for act in run.of("step") for place in act.places}
    reached: dict[str, int] = {}  # a leaf that lends its gradient -> the last pass that reached it
    for one in run.passes:
        added = []
        for visit in one.visits:
            leaf = visit.node or ""
            is_old = leaf in reached and visit.before is not None and not is_zero(visit.before)
            others = shared.get(leaf, set())
            if is_old and any(reached[leaf] < at <= one.number and used & others for at, used in steps):
                added.append(leaf)
            if others & held and leaf not in held:
                reached[leaf] = one.number
        if added:
            first = min(added, key=lambda leaf: run.names.get(leaf, ""))
            name, other = (run.names.get(leaf, "") for leaf in (first, min(shared[first] & held)))
            fields = run.named(added) | {"leaf": other, "call": f"{variable(name)}.zero_grad()"}
            yield Finding("accumulates", Severity.WRONG, one.line, one.step, None, "lent", fields)
            return


def _shared(run: WatchedRun) -> dict[str, set[str]]:
    """Return the leaves whose `.grad` is another's as well, with these."""
    found: dict[str, set[str]] = {}
    for step in run.steps:
        owners: dict[str, set[str]] = {}
        for name, state in step.tensors.items():
            owner = step.tensors.get(name.removesuffix(".grad")) if name.endswith(".grad") else None
            if owner and owner.place[:1] == "l":
                owners.setdefault(state.place, set()).add(owner.place)
        for several in owners.values():
            for leaf in several if len(several) > 1 else ():
                found.setdefault(leaf, set()).update(several - {leaf})
    return found
