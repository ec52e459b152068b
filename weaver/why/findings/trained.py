"""What the program trains: a fact about each optimizer, and about what's frozen."""

import ast
import re
from collections.abc import Collection, Iterable, Iterator

from weaver.recording.acts import Act
from weaver.recording.model import TensorState, Value
from weaver.recording.repeated import begin, has_called
from weaver.why.cuts import loads
from weaver.why.finding import Finding, Severity
from weaver.why.leaves import is_input, is_written, told
from weaver.why.loops import frozen_until, is_partial, written_until
from weaver.why.run import WatchedRun
from weaver.why.values import is_differentiable

States = dict[str, TensorState]
MOVED = re.compile(r"\.data\s*=[^=]")  # which gives a tensor another storage
SEVERAL = 3  # steps: in the first, what multiplies zeros that still learn has no gradient


def find(run: WatchedRun) -> Iterator[Finding]:
    """Say which parameters each optimizer updates or only holds, which none holds, and what freezes some."""
    earlier: list[tuple[Act, set[str]]] = []
    for maker in run.of("optimizer"):
        steps = run.stepping.get(maker.of, [])
        if not maker.steps or (steps and all(act.on for act in steps)):  # with a learning rate of 0
            continue
        pairs = [pair for act in steps for pair in act.pairs()]
        drifting = {place for act in steps for place in drifts(run, act)}
        updated = {place for place, grad in pairs if grad in ("some", "nan")} | {*maker.updated}
        updated |= {place for place in drifting if place[:1] == "l"}
        moved = {place[1:] for place in updated | drifting}  # it has another place while frozen
        idle = {place for place, _ in pairs if place[1:] not in moved}  # as far as steps were watched
        idle = {place for place in idle if run.stepped_as(place)}  # else its name would say another
        varying = _varying(run, idle, maker.step)  # where nobody watched
        none = {place for place in idle - varying if place[:1] == "l"}
        frozen = {place for place in idle if place[:1] == "p" and f"l{place[1:]}" not in none}
        frozen = set() if frozen & varying else frozen  # so may be those whose values aren't known
        also = "_also" if updated else ""
        is_missing = all(grad == "none" for place, grad in pairs if place in none)
        kind = "missing" if is_missing else "none"
        for case, places in ("updates", updated), (f"{kind}{also}", none), (f"frozen{also}", frozen):
            named = {place for place in places if run.names.get(place)}
            places = places - _replaced(run, named, {*maker.places} | {place for place, _ in pairs}) or places
            if named and (maker.steps >= SEVERAL or not case.startswith(kind)):
                line, at = _created(run, maker)
                yield told(run, line, at, case, places, maker.name)
        yield from _again(run, maker, updated, earlier)
        earlier.append((maker, updated))
    yield from _left(run)
    yield from _tied(run)
    for line, (index, wrote) in written(run).items():
        same = [at for at, step in enumerate(run.steps) if step.line == line]
        names = {name for name, one in run.steps[index].tensors.items() if one.place in wrote}
        if _is_recorded(run, same, names):
            continue
        loaded = _loaded(run, line)
        places = loaded | {place for place in wrote if loaded or any(run.changes(at, place) for at in same)}
        if not places:  # such as a clamp within whose limits all was
            continue
        case = "moved" if MOVED.search(run.text(line)) else "written"
        is_called = run.steps[index].depth > 0 and run.has_gap(index, len(run.steps))  # perhaps again
        every = written_until(run, line, index, places)
        is_least = is_called or (is_partial(run, line, index) and not every)
        yield told(run, line, index, case, places | every, is_least=is_least)
    for (line, step), places in frozen_by(run).items():
        several = {run.callers[at] for at, one in enumerate(run.steps) if one.line == line and one.depth}
        is_again = len(several) > 1 and run.has_gap(step, len(run.steps))  # a function that's called again
        is_all = frozen_until(run, line, step) and not run.steps[step].hidden
        is_least = is_again or (is_partial(run, line, step) and not is_all)
        yield told(run, line, step, "off", places, is_least=is_least)


def _is_recorded(run: WatchedRun, steps: Iterable[int], names: Collection[str]) -> bool:
    """Tell whether a line's write to what has some names is recorded in some of its steps."""
    states = ((run.steps[at].tensors, run.before(run.steps[at])) for at in steps)
    pairs = ((now.get(name), before.get(name)) for now, before in states for name in names)
    return any(new and old and new.place[0] == "n" and new.version != old.version for new, old in pairs)


def _loaded(run: WatchedRun, line: int) -> set[str]:
    """Return the parameters of the modules whose `load_state_dict()` a line calls."""
    owners = {owner for owner, _ in loads(run, line)}
    named = {place: run.names[place] for place in (run.within(owners) if owners else ()) if place[0] in "lp"}
    own = (*(f"{owner}." for owner in owners),)  # else it's of another object that had that name
    named = {place: name for place, name in named.items() if name.startswith(own)}
    return {place for place, name in named.items() if name.rpartition(".")[2] in run.kinds}


def _replaced(run: WatchedRun, places: set[str], held: set[str]) -> set[str]:
    """Return the leaves of an optimizer that were replaced: their name leads to another one that it holds."""
    return {place for place in places if not run.current(place) and run.leads(run.names[place]) in held}


def _again(
    run: WatchedRun, maker: Act, updated: set[str], earlier: list[tuple[Act, set[str]]]
) -> Iterator[Finding]:
    """Say what an optimizer updates besides its own that another had trained before, as in a stage before."""
    for other, trained in earlier:
        (line, at), (before, _) = _created(run, maker), _created(run, other)
        ends = run.stepping.get(other.of, []), run.stepping.get(maker.of, [])
        is_later = all(ends) and ends[0][-1].run < ends[1][0].run
        again = updated & trained
        if is_later and again and updated - trained and before != line:
            yield told(run, line, at, "again", again, maker.name, before)


def _created(run: WatchedRun, maker: Act) -> tuple[int, int]:
    """Return the line that created an optimizer, and its step: not the one in the class's own `__init__`."""
    line, at = maker.line, maker.step
    while at >= 0 and run.steps[at].function == "__init__" and "super(" in run.text(line):
        if (caller := run.caller(at)) is None:
            break
        line, at = run.steps[caller].line, caller
    stepping = (act.step for act in run.stepping.get(maker.of, []))
    return line, next(stepping, at) if at < 0 else at  # where nobody watched, its first step shows it


def _varying(run: WatchedRun, places: set[str], start: int) -> set[str]:
    """Return the places whose values change after a step."""
    first: dict[str, Value] = {}
    steps = run.steps[max(start, 0) :]
    states = (state for step in steps for state in step.tensors.values() if state.place in places)
    known = (state for state in states if state.value is not None)
    return {state.place for state in known if first.setdefault(state.place, state.value) != state.value}


def _left(run: WatchedRun) -> Iterator[Finding]:
    """Say which parameters no optimizer holds, of those that are there in the end or at the last step.

    What came only after steps, such as a copy of the best model, is there to be kept.
    """
    makers = [one for one in run.of("optimizer") if one.step >= 0]
    stepping = [act.step for act in run.of("step") if act.step >= 0]
    if not makers or not stepping or not all(one.places for one in run.of("optimizer")):  # one wasn't watched
        return
    final = next((step.tensors for step in reversed(run.steps) if not step.depth), {})
    known = {**run.steps[stepping[-1]].tensors, **final}
    acts = run.of("optimizer") + run.of("step")
    held = {place for act in acts for place in act.places}
    names = {name for place in held for name in run.aliases(place)}  # by these, it's another one
    there = {one.place for name, one in known.items() if "." in name and one.place[:1] == "l"} - held
    since = max(stepping[0], makers[-1].step)
    left = {place for place in there if run.names[place] not in names and not _is_kept(run, place, since)}
    reached = left & run.given
    own = {place for place in reached if not is_input(run, place) and not is_written(run, place)}
    line, at = _created(run, makers[-1])
    for case, places in ("left", left - run.trained), ("left_reached", own):
        if named := {place for place in places if not run.names[place].endswith(".grad")}:
            yield told(run, line, at, case, named)


def _is_kept(run: WatchedRun, place: str, step: int) -> bool:
    """Tell whether a leaf came only after a step."""
    at = run.first([place])
    return at is not None and at > step


def written(run: WatchedRun) -> dict[int, tuple[int, set[str]]]:
    """Return what lines write after a pass and without an optimizer: their steps, and places of parameters.

    Those of copies of the parameters count as well.
    """
    stepping = {act.step for act in run.of("step")}
    contents: dict[str, tuple[int | None, Value]] = {}  # a write by `.data` changes no version
    found: dict[int, tuple[int, set[str]]] = {}
    held = run.stepped.union(*(act.places for act in run.of("optimizer")))
    start = run.passes[0].step if run.passes else len(run.steps)
    for index, step in enumerate(run.steps):
        is_silent = index <= start or step.gap or index in stepping or step.function == "step"
        before = {one.place[1:]: (one.version, one.value) for one in run.before(step).values()}
        is_call = has_called(run.steps, index)  # then a line of what it called may have written
        for state in step.tensors.values():
            if state.value is None or not is_differentiable(state):  # such as a counter
                continue
            now = state.version, state.value
            known = contents.get(state.place[1:], now)
            contents[state.place[1:]] = now
            kind = run.names.get(state.place, "").rpartition(".")[2]
            is_part = state.place in held or (state.place[0] in "lp" and kind in run.kinds)
            is_old = run.seen[state.place] <= start  # else it may be initialized
            # Others may have written what wasn't seen in between
            is_written = known == before.get(state.place[1:]) != now and state.place not in run.in_closures
            if is_written and is_part and is_old and not (is_silent or is_call):
                found.setdefault(step.line, (index, set()))[1].add(state.place)
    return found


def _tied(run: WatchedRun) -> Iterator[Finding]:
    """Say which parameter of a module is one of another of its modules as well, from which step on."""
    seen: set[str] = set()
    is_hidden = False  # whether some tensors of a state weren't listed until now
    for index, step in enumerate(run.steps):
        is_loop = any(isinstance(one, ast.For) for one in run.lines.statements(step.line))  # its variable
        is_hidden |= bool(step.hidden)
        if step.gap or is_hidden or is_loop or step.tensors == run.before(step):
            continue
        known: dict[str, str] = {}
        for name, state in step.tensors.items():
            other = known.setdefault(state.place, name)
            is_new = other != name and state.place[:1] == "l" and state.place not in seen
            if is_new and _is_tied(step.tensors, run.before(step), other, name):
                seen.add(state.place)
                fields = {"name": name, "leaf": other}
                yield Finding("trained", Severity.FACT, step.line, index, None, "tied", fields)


def _is_tied(states: States, before: States, one: str, other: str) -> bool:
    """Tell whether a step tied a parameter to another: two modules have it, of one model or of two."""
    first, second = (name.split(".") for name in (one, other))
    is_deep = len(first) > 2 and len(second) > 2 and "[" not in one + other
    known = {before[name].place for name in (one, other) if name in before}
    was_tied = one in before and other in before and len(known) == 1  # where nobody watched
    if not is_deep or not known or was_tied or "grad" in (first[-1], second[-1]):
        return False
    if first[0] != second[0]:  # of two models; else one may only have two names
        return _took_over(states, before, one) != _took_over(states, before, other)
    for depth in (1, 2):  # the modules, and those around them
        owners = {f"{name.rsplit('.', depth)[0]}." for name in (one, other)}
        within = ([(name, owner) for name in states if name.startswith(owner)] for owner in owners)
        own, *more = ({one.removeprefix(owner): states[one].place for one, owner in all} for all in within)
        if [own] == more and len(own) > 1:  # it's a module that has two names
            return False
    return True


def _took_over(states: States, before: States, name: str) -> bool:
    """Tell whether a name leads to another tensor than before, and others of the same variable don't."""
    if name not in before or before[name].place == states[name].place:
        return False
    others = {one for one in states.keys() & before if one.partition(".")[0] == name.partition(".")[0]}
    return any(before[one].place == states[one].place for one in others)


def switched(run: WatchedRun) -> Iterator[tuple[int, str]]:
    """Yield the steps that changed whether a leaf requires a gradient, with its place after that."""
    for index, step in enumerate(run.steps):
        before = run.before(step)
        for name, state in step.tensors.items():
            if (old := before.get(name)) and old is not state and _is_same(old, state):
                yield index, state.place


def frozen_by(run: WatchedRun) -> dict[tuple[int, int], set[str]]:
    """Return the leaves that don't require a gradient any more, by the line and the step that did that.

    What a line freezes that's switched back later may be so again where nobody watches.
    """
    found: dict[str, tuple[int, int]] = {}
    back: set[int] = set()  # lines
    for index, place in switched(run):
        if place[:1] == "p" and run.current(place) and not run.steps[index].gap:  # else another line did it
            found.setdefault(place, (run.steps[index].line, index))
        elif frozen := found.pop(f"p{place[1:]}", None):
            back.add(frozen[0])
    last = len(run.steps) - 1
    found = {one: at for one, at in found.items() if at[0] not in back or not run.has_gap(at[1], last)}
    lines: dict[tuple[int, int], set[str]] = {}
    first = {line: index for line, index in reversed([*found.values()])}
    for place, (line, index) in found.items():
        within = (at for at in sorted(first.values()) if begin(run.steps, index) <= at < index)
        at = next(within, first[line])  # its loop isn't watched to the end
        lines.setdefault((run.steps[at].line, at), set()).add(place)
    for (line, index), places in lines.items():
        places |= frozen_until(run, line, index)
    return lines


def drifts(run: WatchedRun, act: Act) -> Iterator[str]:
    """Yield the parameters that are frozen, or whose gradient is 0, and that a step changes all the same."""
    for place, grad in act.pairs():
        is_still = grad == "zero" or (place[:1] == "p" and grad != "none")
        if is_still and act.step >= 0 and run.changes(act.step, place):
            yield place


def _is_same(old: TensorState, new: TensorState) -> bool:
    """Tell whether a leaf is the same as before, apart from whether it requires a gradient."""
    return {old.place[:1], new.place[:1]} == {"l", "p"} and old.place[1:] == new.place[1:]
