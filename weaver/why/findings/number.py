"""The loss contains a number instead of the tensor that it was made from."""

from collections.abc import Iterator

from weaver.recording.acts import Act
from weaver.recording.model import id_of
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find numbers in a loss that came from tensors which it could have learned from.

    That's so if the pass reaches their leaves another way: else it's data, such as another network's rating.
    And if no pass came in between: else it's carried into the next iteration, as a controller's state is.
    """
    told = set()
    acts: dict[int, list[Act]] = {}  # by the pass that comes next
    for act in run.of("number"):
        acts.setdefault(act.run, []).append(act)
    for one in run.passes:
        new = acts.get(one.number, []) if one.of == "backward" else []
        behind = run.behind(one.roots) if new else set[str]()
        for act in (each for each in new if each.line not in told):
            start, end = map(id_of, act.places)
            leaves = {id for id in run.behind([start]) if id[:1] == "l"}
            is_apart = end in behind and start not in behind and leaves and leaves <= behind
            is_cut = ".detach()" in run.text(act.line)  # on purpose, and not by the number
            if is_apart and not is_cut and act.step >= 0 and not _is_carried(run, start, act.step):
                told.add(act.line)
                fields = {"by": act.name} | run.named([act.places[0]])
                at = run.steps[act.step].line
                yield Finding("number", Severity.WRONG, act.line, act.step, at, "", fields)


def _is_carried(run: WatchedRun, start: str, used: int) -> bool:
    """Tell whether a pass came, or may have come, between the step that made a node and one that used it."""
    made = run.made(run.nodes[start]) if start in run.nodes else used
    return run.has_gap(made, used) or any(made < one.step < used for one in run.passes)
