"""What an optimizer trained is frozen, and stays so; or what it holds was frozen by default."""

from collections.abc import Iterator

from weaver.recording.acts import USED
from weaver.why.finding import Finding, Severity
from weaver.why.findings.trained import frozen_by
from weaver.why.run import WatchedRun

SEVERAL = 2  # steps without what's frozen


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find lines that freeze what was trained, and embeddings that are frozen as nobody said otherwise."""
    yield from _later(run)
    yield from _at_first(run)


def _at_first(run: WatchedRun) -> Iterator[Finding]:
    """Find lines that make an embedding by `from_pretrained()` without `freeze`, which an optimizer holds."""
    held = {place for act in run.of("step") for place in act.places if place[:1] == "p"}
    made = {place: run.seen[place] for place in held if run.seen.get(place, -1) >= 0}
    for place, index in made.items():
        text = run.text(run.steps[index].line)
        if "from_pretrained(" in text and "freeze" not in text and f"l{place[1:]}" not in run.seen:
            yield Finding(
                "frozen", Severity.NOTE, run.steps[index].line, index, None, "default", run.named([place])
            )


def _later(run: WatchedRun) -> Iterator[Finding]:
    """Find lines that freeze what an optimizer trained in the same loop, and still holds at later steps."""
    for (line, index), places in frozen_by(run).items():
        loops = {at for at, _ in run.steps[index].loops}  # else it's another stage of the training
        before = (act for act in run.of("step") if 0 <= act.step < index)
        inside = (act for act in before if loops & {at for at, _ in act.loops})
        used = {place[1:] for act in inside for place, grad in act.pairs() if grad in USED}
        trained = {place for place in places if place[1:] in used}
        idle = [act for act in run.of("step") if act.step > index and trained & {*act.places}]
        is_scheduled = run.first_steps[line] < index  # it ran before, and froze nothing
        if len(idle) >= SEVERAL and not is_scheduled:
            yield Finding("frozen", Severity.NOTE, line, index, None, "", run.named(trained))
