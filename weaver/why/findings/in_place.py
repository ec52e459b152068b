"""A program overwrites a tensor that the backward pass needs."""

from collections.abc import Iterator

from weaver.recording.model import id_of
from weaver.why.carried import carrier, parts
from weaver.why.finding import Finding, Severity
from weaver.why.findings.trained import MOVED
from weaver.why.run import WatchedPass, WatchedRun

REMADE = "CopySlices"  # the node of a base after a write to a view of it


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find writes that made the engine stop, and writes that it didn't notice."""
    for one in run.passes:
        if one.failed and one.failed.met is not None:
            yield from _failed(run, one)
    yield from _silent(run)


def _failed(run: WatchedRun, one: WatchedPass) -> Iterator[Finding]:
    failed = one.failed
    assert failed
    found: tuple[int, str] | None = None  # the step, of those that a call is made of the deepest; the name
    for index in range(min(one.step, len(run.steps)) - 1, -1, -1):
        step = run.steps[index]
        if found and step.depth <= run.steps[found[0]].depth:
            break
        for name, state in step.tensors.items():
            old = run.before(step).get(name)
            # torch doesn't tell the storage of a view that it recreated after a write to its base
            is_it = state.storage == failed.storage or (failed.storage is None and state.grad_fn == REMADE)
            if old and old.version != state.version == failed.met and is_it:
                found = index, name
                break
    if found:
        node = run.nodes.get(failed.node or "")
        fields = {"name": found[1], "node": node.name if node else "backward()"}
        at = run.made(node) if node else -1
        saved = [saved for saved in (node.saved if node else ()) if saved.name == failed.name]
        is_data = at >= 0 and saved and (saved[0].place or "")[:1] == "p"
        fields |= {"first": str(run.steps[at].line)} if is_data else {}
        line, case = run.steps[found[0]].line, "data" * bool(is_data)
        if _is_renormed(run, found[0], found[1]):
            case = "renormed"
        elif any(act.step == found[0] for act in run.of("step")):
            case = "step"
            earlier = [other for other in run.passes if other.number < one.number]
            visiting = [other for other in earlier if failed.node in other.ids() and other.loops != one.loops]
            _, kept, ties = parts(run, one, visiting[-1]) if visiting else ([], set[str](), [])
            if ties and (carried := carrier(run, min(ties), kept))[1]:
                case, fields["first"] = "carried", str(line)
                line, fields["name"] = carried
        yield Finding("in_place", Severity.FAILS, line, one.step, one.line, case, fields)
    elif run.has_gap(-1, one.step):
        made = run.nodes.get(failed.node or "")
        fields = {"node": made.name if made else failed.of or "backward()", "option": "--all"}
        if other := _last_write(run, one.step, failed.met):
            line, fields["name"] = other
            yield Finding("in_place", Severity.FAILS, line, one.step, one.line, "elsewhere", fields)
        else:
            yield Finding("in_place", Severity.FAILS, one.line, one.step, None, "unseen", fields)


def _is_renormed(run: WatchedRun, index: int, name: str) -> bool:
    """Tell whether a step wrote to a leaf while operations are recorded, as a lookup with `max_norm` does."""
    is_leaf = run.steps[index].tensors[name].place[:1] == "l" and not run.steps[index].off
    return is_leaf and any("max_norm" in text for text in run.lines.texts)


def _last_write(run: WatchedRun, before: int, version: int | None) -> tuple[int, str] | None:
    """Return the innermost line that wrote last to a tensor which has a version at a step, and its name."""
    states = run.before(run.steps[before]).values()
    storages = {one.storage for one in states if one.version == version and one.storage is not None}
    stepping = {act.step for act in run.of("step")}
    found: tuple[int, str] | None = None
    depth = 0
    for index, step in enumerate(run.steps[:before] if storages else ()):
        for name, state in step.tensors.items():
            old = run.before(step).get(name)
            is_written = old and state.storage in storages and (old.version or 0) < (state.version or 0)
            is_caller = found and step.depth < depth  # of the line that wrote
            if is_written and not is_caller and index not in stepping:
                found, depth = (step.line, name), step.depth
    return found


def _silent(run: WatchedRun) -> Iterator[Finding]:
    """Find values that changed without a new version between being saved and being used."""
    seen = set()
    for index, step in enumerate(run.steps):
        for name, state in step.tensors.items():
            old = run.before(step).get(name)
            if not old or old is state or name.endswith(".grad") or step.line in seen:
                continue
            is_same = (old.version, old.place[1:]) == (state.version, state.place[1:])
            is_moved = old.storage != state.storage  # by `.data = ...`, which a leaf's nodes don't notice
            if not is_same or old.value == state.value or state.version is None:
                continue
            if is_moved and (state.place[:1] not in "lp" or not MOVED.search(run.text(step.line))):
                continue  # what a line calls moved it
            begin = index  # what a line called and what's saved there is told of the steps in it
            while begin and run.steps[begin - 1].depth > step.depth:
                begin -= 1
            for one in run.passes:
                used = one.step > index and _used(run, one, state.place, begin, is_moved)
                if used and not run.has_gap(index, one.step):
                    seen.add(step.line)
                    fields = {"name": name, "node": used}
                    severity = Severity.NOTE if is_moved else Severity.WRONG
                    yield Finding("in_place", severity, step.line, index, one.line, "silent", fields)
                    break
                is_through = one.step > index and id_of(state.place) in one.ids()
                if state.place[:1] == "n" and is_through and ".data" in run.text(step.line):
                    seen.add(step.line)
                    yield Finding(
                        "in_place", Severity.NOTE, step.line, index, one.line, "unrecorded", {"name": name}
                    )
                    break


def _used(run: WatchedRun, one: WatchedPass, place: str, index: int, is_moved: bool) -> str:
    """Return the node that had saved a tensor before a step, and that a pass visited after it.

    A view keeps the storage of a tensor that was moved to another.
    """
    for visit in one.visits if not one.failed else ():
        node = run.nodes.get(visit.node or "")
        if node and 0 <= run.made(node) < index:
            saved = (one for one in node.saved if one.place and not one.name.startswith("running_"))
            bases = (one.place if is_moved else run.base(one.place or "") for one in saved)
            if any((base or "")[1:] in {place[1:], run.base(place)[1:]} for base in bases):
                return node.name
    return ""
