"""A loss trains the network that its target comes from, too."""

import re
from collections.abc import Iterator

from weaver.recording.model import id_of
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedPass, WatchedRun

COPY = re.compile(r"\.(copy_|lerp_|mul_|set_|load_state_dict)\(|\.data\s*=")


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find passes that reach parameters which the program copies from others that they reach as well."""
    copied = _copied(run)
    for one in run.passes if copied else ():
        reached = {visit.node for visit in one.visits if visit.node and visit.after is not None}
        names = {run.names[place]: place for place in reached - copied.keys() if place in run.names}
        pairs = (
            (place, twin) for place in reached & copied.keys() if (twin := _twin(run.names.get(place), names))
        )
        if pair := min(pairs, default=None):
            place, twin = pair
            at = _used(run, one, place)
            targets = [other for other in reached & copied.keys() if _twin(run.names.get(other), names)]
            fields = run.named(targets) | {"also": str(run.place(copied[place])[1]), "leaf": twin}
            yield Finding("target", Severity.WRONG, run.steps[at].line, at, one.line, "", fields)
            return


def _copied(run: WatchedRun) -> dict[str, int]:
    """Return the leaves that a line writes to, other than by their gradients, and that line."""
    found: dict[str, int] = {}
    for step in run.steps:
        text = run.text(step.line)
        if not COPY.search(text) or ".grad" in text:
            continue
        before = run.before(step)
        for name, state in step.tensors.items():
            old = before.get(name)
            if old and state.place[:1] == "l" == old.place[:1] and old.version != state.version:
                found[state.place] = step.line
    return found


def _twin(name: str | None, others: dict[str, str]) -> str | None:
    """Return the other name that has the same parts but one, such as `net.0.weight` for `target.0.weight`."""
    parts = (name or "").split(".")
    for other in others if len(parts) > 1 else ():
        pairs = list(zip(parts, other.split("."), strict=False))
        if (
            other.count(".") == len(parts) - 1
            and sum(a != b for a, b in pairs) == 1
            and pairs[-1][0] == pairs[-1][1]
        ):
            return other
    return None


def _used(run: WatchedRun, one: WatchedPass, leaf: str) -> int:
    """Return the step that used a leaf for a pass, if known in the function that called `backward()`."""
    users = [run.nodes[id] for id in one.ids() if id in run.nodes]
    made = [run.made(node) for node in users if leaf in map(id_of, filter(None, node.next))]
    at = min((index for index in made if 0 <= index <= one.step), default=one.step)
    while run.steps[at].depth > run.steps[one.step].depth:
        caller = run.caller(at)
        if caller is None:
            break
        at = caller
    return at
