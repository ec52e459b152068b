"""Another tensor has taken the place of what an optimizer holds, and gets no gradient."""

from collections.abc import Iterator

from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun

SEVERAL = 3  # steps, at least one of them after that


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find what optimizers hold that never has a gradient, and whose name leads to what they don't hold."""
    for maker in run.of("optimizer"):
        steps = run.stepping.get(maker.of, [])
        last = max((act.step for act in steps), default=-1)
        pairs = {pair for act in steps for pair in act.pairs()}
        held = {place[1:] for place, _ in pairs}
        none = {place for place, _ in pairs}.difference(place for place, grad in pairs if grad != "none")
        named = {place: run.names.get(place, "") for place in none - {*maker.updated}}
        gone = [
            place
            for place, name in named.items()
            if "." in name and (other := run.leads(name)) and other[1:] not in held
            if run.led_to(name, other) < last
        ]
        if len(steps) >= SEVERAL and gone:
            fields = run.named(gone)
            yield Finding("optimizer", Severity.WRONG, maker.line, maker.step, None, "replaced", fields)
