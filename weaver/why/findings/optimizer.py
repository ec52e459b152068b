"""A parameter that gets gradients isn't in the optimizer."""

import re
from collections import Counter
from collections.abc import Collection, Iterator

from weaver.recording.acts import USED, Act
from weaver.recording.model import id_of
from weaver.why.finding import Finding, Severity
from weaver.why.findings import gone
from weaver.why.findings.trained import frozen_by, switched
from weaver.why.groups import groups
from weaver.why.leaves import is_input, is_written
from weaver.why.names import variable
from weaver.why.run import WatchedRun

LISTED = re.compile(r"\.\w+\[")  # in the name of a parameter: a list that's an attribute


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find parameters that get gradients in several passes, and that no optimizer holds or updates."""
    steps = run.of("step")
    if not steps:
        return
    holders: dict[str, set[int]] = {}
    for act in steps:
        for place in act.places:
            holders.setdefault(place, set()).add(act.of)
    yield from _frozen(run)
    forgotten = [*_forgotten(run, holders)]
    yield from () if any(one.case == "late" for one in forgotten) else _thawed(run)
    yield from forgotten or gone.find(run)


def _forgotten(run: WatchedRun, holders: dict[str, set[int]]) -> Iterator[Finding]:
    counts = Counter(leaf for one in run.passes for leaf in one.given())
    held = {*holders} | {place for act in run.of("optimizer") for place in act.places}
    unheld = run.names.keys() - held
    again = Counter[str]()  # of an attribute that's a new parameter in each iteration, each has one gradient
    for place in counts.keys() & unheld:
        name = run.usual(place)
        again[name if "." in name else place] += counts[place]
    idle = {name for one in holders.keys() - counts.keys() for name in run.aliases(one) if "." in name}
    is_lost = {
        one: max(again[one], again[name]) > 1 or name in idle or _is_thawed(run, one)
        for one, name in ((place, run.usual(place)) for place in counts if place in unheld)
    }
    lost = [place for place, is_so in is_lost.items() if is_so]
    lost = [place for place in lost if not is_written(run, place) and not is_input(run, place)]
    computed = {edge.end for edge in run.trace.edges if edge.why == "parameter"}
    roots = {place: _root(_owned_as(run, place)) for place in lost}
    first = {root: place for place, root in reversed(roots.items())}
    rebuilt = {root for root, place in first.items() if _is_rebuilt(run, place, root, held)}
    lost = [place for place in lost if place not in computed and roots[place] not in rebuilt]
    read = {place for _, place in run.readings} if lost else set()  # by the program itself
    lost = [place for place in lost if place not in read or "." in run.names[place]]
    left = _left_behind(run, holders.keys(), {place for place in counts if place in unheld})
    lost = left or [place for place in lost if run.current(place)] or lost  # not what others replaced
    if not lost:
        yield from _computed(run, {place for place, n in counts.items() if n > 1 and place not in held})
        return
    since = min(one.number for one in run.passes if one.ids() & {*lost})
    later = [act for act in run.of("step") if act.run > since]
    near = _stepping(run, {*lost}) or later or run.of("step")
    made = [act for act in run.of("optimizer") if act.of in {one.of for one in near}]
    if left:  # the optimizer that still holds the tensor which had the name
        name = run.usual(left[0])
        old = {place for place in holders if name in run.aliases(place)}
        holding = [act for act in run.of("optimizer") if old & {*act.places}]
        made = [act for act in made if act in holding] or holding or made
    line, step = (made[0].line, made[0].step) if made else (near[0].line, near[0].step)
    owned = [place for place in lost if any("." in name for name in run.aliases(place))]  # not data
    unlisted = [place for place in owned if _is_hidden(run, place, held)]
    reached = {id for one in run.passes if one.number >= since for id in one.ids()}
    dead = [place for place in holders if place not in reached]
    late = [place for place in owned if made and _is_later(run, place, made[-1].step)]
    # What the optimizer holds is all in a variable in which these aren't: its order isn't what matters
    whole = set.intersection(*(_owners(run, place) for place in made[-1].places)) if late else set()
    early = [place for place in late if whole - _owners(run, place)]
    late = [place for place in late if place not in early]
    fields = run.named(lost)
    owners = {run.names[place].rpartition(".")[0] for place in holders if place in run.names}
    is_partial = any(run.names.get(place, "").rpartition(".")[0] in owners - {""} for place in lost)
    if unlisted and (at := _first(run, unlisted[0])):
        fields = run.named(unlisted)
        yield Finding(
            "optimizer", Severity.WRONG, _list_line(run, unlisted[0]) or at[1], at[0], line, "list", fields
        )
    elif replaced := left or [
        place for place in owned if any(_took_over(run, _owned_as(run, place), old) for old in dead)
    ]:
        replaced = [*{run.usual(place): place for place in reversed(replaced)}.values()]
        at = _first(run, replaced[-1])
        shows = at[1] if at and _is_made_there(run, replaced[-1], at[0]) else None
        fields = run.named(replaced)
        if at and shows and not run.steps[at[0]].loops:
            yield Finding("optimizer", Severity.WRONG, shows, at[0], line, "late", fields)
        else:
            yield Finding("optimizer", Severity.WRONG, line, step, shows, "replaced", fields)
    elif late and (firsts := [at for at in (_first(run, place) for place in late) if at]):
        at = min(firsts, key=lambda one: (run.steps[one[0]].depth, one[0]))
        owned_by = set[str]().union(*(_owners(run, place) for place in late))
        alike = {place for place in counts.keys() & unheld if _owners(run, place) & owned_by}
        fields = run.named({*late} | {place for place in alike if _is_later(run, place, made[-1].step)})
        yield Finding("optimizer", Severity.WRONG, at[1], at[0], line, "late", fields)
    elif lost := _made_once(run, lost):
        fields = run.named(lost)
        is_wrong = dead or is_partial or early or any(_is_thawed(run, place) for place in lost)
        acts = {act.line: frozenset(act.places) for act in run.of("optimizer")}
        is_wrong = is_wrong or len({*acts.values()}) < len(acts)  # two hold the same instead
        severity = Severity.WRONG if is_wrong else Severity.NOTE
        yield Finding("optimizer", severity, line, step, None, "forgotten", fields)


def _is_thawed(run: WatchedRun, place: str) -> bool:
    """Tell whether a leaf of a module was seen before, when it didn't require a gradient."""
    return f"p{place[1:]}" in run.seen and "." in run.names.get(place, "")


def _computed(run: WatchedRun, leaves: set[str]) -> Iterator[Finding]:
    """Find attributes that were computed from leaves to which no name leads."""
    users = {
        node.id: place
        for node in run.trace.nodes
        for place in map(id_of, filter(None, node.next))
        if place in leaves - run.names.keys()
    }
    if any(one.of == "grad" for one in run.passes):  # it may be an input
        return
    for place, at in run.seen.items():
        name = run.names[place]
        if id_of(place) in users and "." in name and at >= 0:
            fields = {"name": name}
            yield Finding("optimizer", Severity.WRONG, run.steps[at].line, at, None, "computed", fields)


def _owners(run: WatchedRun, place: str) -> set[str]:
    """Return the variables from which attributes lead to a leaf; `self` is another one in each class."""
    return {name.split(".")[0] for name in run.aliases(place) if "." in name} - {"self"}


def _is_hidden(run: WatchedRun, place: str, held: set[str]) -> bool:
    """Tell whether a leaf is in a list of something that an optimizer holds other parts of."""
    name = run.names.get(place, "")
    if not (listed := LISTED.search(name)):
        return False
    owner = f"{name[: listed.start()]}."
    states = (step.tensors for step in reversed(run.steps) if name in step.tensors)
    last = next((one for one in states if one[name].place == place), {})
    parts = {one: state.place for one, state in last.items() if one.startswith(owner)}
    return any(part in held and not LISTED.match(one, len(owner) - 1) for one, part in parts.items())


def _root(name: str) -> str:
    """Return the variable that a name begins with, after `self` with its attribute; "" if there's no more."""
    parts = name.split(".")
    return ".".join(parts[: min(len(parts) - 1, 2 if parts[0] == "self" else 1)])


def _owned_as(run: WatchedRun, place: str) -> str:
    """Return the usual name of a leaf, or its best one instead of `self.weight`, which many objects have."""
    return run.names.get(place, "") if run.usual(place).startswith("self.") else run.usual(place)


def _is_rebuilt(run: WatchedRun, place: str, root: str, held: set[str]) -> bool:
    """Tell whether a leaf is part of something that's recreated with all its tensors, and never held.

    So is a copy of a model that lives for one iteration.
    """
    name = _owned_as(run, place)
    if not root or any(_took_over(run, name, one) for one in held):
        return False
    now, others = set[str](), set[str]()
    for step in run.steps:
        if found := step.tensors.get(name):
            places = {state.place[1:] for one, state in step.tensors.items() if one.startswith(f"{root}.")}
            (now if found.place[1:] == place[1:] else others).update(places)
    return bool(others) and not now & others


def _took_over(run: WatchedRun, name: str, old: str) -> bool:
    """Tell whether another leaf took a name for good: `self.weight` may be one of two objects by turns."""
    if name not in run.aliases(old):
        return False
    known = [one.place[1:] for step in run.steps if (one := step.tensors.get(name))]
    mine = [index for index, place in enumerate(known) if place == old[1:]]
    return not mine or all(place == old[1:] for place in known[: mine[-1]])


def _left_behind(run: WatchedRun, held: Collection[str], unheld: set[str]) -> list[str]:
    """Return leaves that took the name of one which an optimizer holds, and which no later pass reaches.

    One pass is enough if the one that the optimizer holds had gradients in some steps, and none in others.
    """
    grads: dict[str, set[str]] = {}
    for place, grad in (pair for act in run.of("step") for pair in act.pairs()):
        grads.setdefault(place, set()).add(grad)
    given_up = {place for place, kinds in grads.items() if kinds >= {"some", "none"}}
    found = []
    for name in sorted({_owned_as(run, place) for place in unheld}):
        mine = [place for place in held if name in run.aliases(place)]
        others = sorted(place for place in unheld if _owned_as(run, place) == name)
        last = max((one.number for one in run.passes if one.ids() & {*mine}), default=-1)
        later = {one.number for one in run.passes if one.ids() & {*others} and one.number > last}
        is_left = given_up & {*mine} and "." in name
        found += others if later and mine and (is_left or (len(others) > 1 and len(later) > 1)) else []
    return found


def _frozen(run: WatchedRun) -> Iterator[Finding]:
    """Find optimizers that hold nothing but tensors which don't require a gradient."""
    held: dict[int, set[str]] = {}
    for act in run.of("step"):
        held.setdefault(act.of, set()).update(act.places if USED.isdisjoint(act.grads) else {"l"})
    idle = {of for of, places in held.items() if places and all(place[:1] == "p" for place in places)}
    off = {place: at for at, places in frozen_by(run).items() for place in places} if idle else {}
    for maker in run.of("optimizer") if run.passes else ():
        places = held.get(maker.of, set())
        if maker.of in idle and places <= off.keys():
            line, step = off[min(places)]
            fields = {"by": maker.name, "groups": groups(run.names.get(place, "") for place in places)}
            yield Finding("optimizer", Severity.WRONG, line, step, maker.line, "frozen", fields)


def _made_once(run: WatchedRun, leaves: Collection[str]) -> list[str]:
    """Return the leaves that share their name with no other: one that's created each time can't learn."""
    times = Counter(run.names.get(place, "") for place in leaves)
    return [place for place in leaves if times[run.names.get(place, "")] == 1 or place not in run.names]


def _thawed(run: WatchedRun) -> Iterator[Finding]:
    """Find leaves that require a gradient again, and that no step after their passes updates."""
    since: dict[str, int] = {}
    frozen: set[str] = set()  # else it's data that begins to require a gradient
    for index, place in switched(run):
        leaf = f"l{place[1:]}"
        if place != leaf:
            since.pop(leaf, None)
            frozen.add(leaf)
        elif leaf in frozen:
            since.setdefault(leaf, index)
    lost = {place: index for place, index in since.items() if _is_left_out(run, place, index)}
    if lost:
        first = min(lost.values())
        given = {leaf for one in run.passes for leaf in one.given()}
        more = {one for one in given - lost.keys() if _is_thawed(run, one) and _is_left_out(run, one, first)}
        fields = run.named({*lost} | more)  # nobody watched where those were turned on
        yield Finding("optimizer", Severity.WRONG, run.steps[first].line, first, None, "thawed", fields)


def _is_left_out(run: WatchedRun, place: str, since: int) -> bool:
    """Tell whether gradients reach a leaf after a step, and no optimizer that steps then holds it."""
    later = [act for act in run.of("step") if act.step > since]
    near = [act for act in _stepping(run, {place}) if act.step > since]
    is_held = any(place in act.places for act in later)
    return len(near) > 1 and not is_held and not is_written(run, place, since)


def _stepping(run: WatchedRun, leaves: set[str]) -> list[Act]:
    """Return the steps of optimizers that follow a pass which reaches some leaves."""
    passes = {one.number for one in run.passes if one.ids() & leaves}
    return [act for act in run.of("step") if act.run - 1 in passes]


def _is_later(run: WatchedRun, place: str, step: int) -> bool:
    """Tell whether a tensor was first seen after a step.

    Everything in between was watched, or the state at the step has all that its variable leads to.
    """
    seen = run.seen.get(place, -1)
    if not 0 <= step < seen or not run.has_gap(step, seen):
        return 0 <= step < seen
    at = run.steps[step]
    listed = {*map(variable, at.tensors)} - {*map(variable, at.hidden)}
    return "" not in at.hidden and not listed.isdisjoint(map(variable, run.aliases(place)))


def _list_line(run: WatchedRun, place: str) -> int | None:
    """Return the line that put modules into a list: the first step whose state has the list."""
    listed = LISTED.findall(run.names[place])[0]
    for step in run.steps:
        if any(listed in one and one not in run.before(step) for one in step.tensors):
            return step.line
    return None


def _first(run: WatchedRun, place: str) -> tuple[int, int] | None:
    """Return the step, and its line, that gave a tensor the name by which it's mostly known."""
    name = run.usual(place)
    for index, step in enumerate(run.steps):
        if name in step.tensors and step.tensors[name].place == place:
            return index, step.line
    return None


def _is_made_there(run: WatchedRun, place: str, index: int) -> bool:
    """Tell whether a step gave a tensor its name: it wasn't there before, and nothing was left out."""
    before = run.before(run.steps[index]).values()
    return not run.has_gap(index - 1, index) and all(one.place != place for one in before)
