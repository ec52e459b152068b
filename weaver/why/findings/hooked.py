"""Which gradients a hook changes on their way back."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from weaver.recording.model import Event
from weaver.why.finding import Finding
from weaver.why.leaves import told
from weaver.why.run import WatchedPass, WatchedRun


@dataclass(frozen=True, slots=True)
class Hooked:
    """A hook's first call that changed a gradient: the line that registered it, for a tensor at a `place`.

    `step` is when it was registered, `users` are the lines from which that gradient flows back.
    """

    line: int
    step: int
    place: str
    one: WatchedPass
    event: Event
    users: list[int]


def find(run: WatchedRun) -> Iterator[Finding]:
    """Say of each line that registers hooks on tensors which gradient the first of them changes, and how."""
    for each in hooked(run):
        trained = run.behind([each.place]) & run.stepped
        users = ", ".join(map(str, each.users)) if len(each.users) > 1 else ""
        case = "hooked_several" if users else "hooked"
        fact = told(run, each.line, each.step, case, trained, also=each.one.line)
        more = {"name": run.names.get(each.place, "")} | ({"first": users} if users else {})
        if trained:
            yield replace(fact, fields=fact.fields | more)


def hooked(run: WatchedRun) -> Iterator[Hooked]:
    """Yield the first call of each line's hooks on tensors with a history that changed a gradient."""
    events = (event for step in run.steps for event in step.events if event.kind == "hook")
    calls = {event.node: event for event in events if event.passed and event.passed != event.received}
    passes = {one.number: one for one in run.passes} if calls else {}
    told_of: set[int] = set()
    for act in run.of("hook") if calls else ():
        place = act.places[0] if act.places else ""
        event = calls.get(place)
        if not event or event.run not in passes or act.line in told_of or place[0] != "n":
            continue
        told_of.add(act.line)
        one = passes[event.run]
        above = (run.nodes[id] for id in one.ids() if id in run.nodes and place in run.nodes[id].next)
        users = sorted({run.steps[at].line for node in above if (at := run.made(node)) >= 0})
        yield Hooked(act.line, act.step, place, one, event, users)
