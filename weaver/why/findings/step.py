"""An optimizer steps without gradients, or never."""

from collections.abc import Iterator

from weaver.recording.acts import Act
from weaver.why.finding import Finding, Kind
from weaver.why.run import Pass, Run


def find(run: Run) -> Iterator[Finding]:
    """Find steps all of whose gradients are empty, and optimizers that never step."""
    steps: dict[int, list[tuple[Act, Act | None]]] = {}  # optimizer -> its steps, and what had emptied all
    zeroed: dict[str, Act] = {}  # leaf -> what emptied its gradient last
    for one in run.in_order():
        if isinstance(one, Pass):
            for id in one.ids():
                zeroed.pop(id, None)
        elif one.kind == "zero":
            zeroed |= {leaf: one for leaf in one.places}
        elif one.kind == "step":
            emptied = zeroed.get(one.places[0]) if one.places else None
            steps.setdefault(one.of, []).append((one, emptied))
    for found in steps.values():
        is_empty = [bool(act.places) and not {*act.grads} & {"some", "nan"} for act, _ in found]
        if all(is_empty) and (run.passes or len(found) > 1):
            act, emptied = found[0]
            passes = [one for one in run.passes if one.number == act.run - 1]
            if emptied and passes and emptied.run == act.run:
                yield Finding("step", Kind.WRONG, emptied.line, act.step, act.line, "emptied")
            elif not passes:
                yield Finding("step", Kind.WRONG, act.line, act.step, None, "early")
    stepped = {place for found in steps.values() for act, _ in found for place in act.places}
    for act in run.of("optimizer"):
        later = [one for one in run.passes if one.number >= act.run and one.ids() & {*act.places}]
        lines = {one.line for one in later}
        if len(later) > 1 and act.of not in steps and not stepped & {*act.places} and len(lines) == 1:
            yield Finding(
                "step", Kind.WRONG, act.line, later[0].step, later[0].line, "never", {"name": act.name}
            )
