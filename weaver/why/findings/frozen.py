"""What an optimizer trained is frozen, and stays so; or what it holds was frozen by default."""

import ast
from collections.abc import Iterator

from weaver.recording.acts import USED
from weaver.recording.lines import path
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
    assigned = [one for one in run.lines.every() if isinstance(one, ast.Assign) and held]
    lines = {run.lines.first(one.lineno) or 0: path(one.targets[0]) or "" for one in assigned}
    frozen = {line: name.rpartition(".")[2] for line, name in lines.items() if _freezes(run, line)}
    made: dict[int, list[str]] = {}  # line -> what it made
    for place in sorted(one for one in held if f"l{one[1:]}" not in run.seen):
        owner = run.names.get(place, "").split(".")[-2:-1]
        seen = [run.steps[at].line for at in [run.seen.get(place, -1)] if at >= 0]
        own = [line for line in seen if _freezes(run, line)]
        for line in own or [line for line, name in frozen.items() if [name] == owner]:
            made.setdefault(line, []).append(place)
    for line, places in made.items():
        at = run.first_steps.get(line, -1)
        yield Finding("frozen", Severity.NOTE, line, at, None, "default", run.named(places))


def _freezes(run: WatchedRun, line: int) -> bool:
    """Tell whether a line makes an embedding by `from_pretrained()`, whose default is to freeze it."""
    text = run.text(line)
    return "from_pretrained(" in text and "freeze" not in text


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
