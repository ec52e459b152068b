"""A graph grows from iteration to iteration, because a variable keeps it alive."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from weaver.recording.model import Step, id_of
from weaver.why.consumers import lines_of
from weaver.why.finding import Finding, Severity
from weaver.why.run import Loops, WatchedPass, WatchedRun

FEW = 2  # backward passes whose graphs a variable may hold


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find variables that hold the graphs of several iterations' backward passes, and ever more of them."""
    visited = [(one, one.ids()) for one in run.passes if one.of == "backward" and not one.failed]
    every_sample = _samples(run)
    walks = Counter(id for _, nodes in visited for id in nodes if id[0] == "n")
    found, unused = [], []
    known: dict[tuple[str, ...], tuple[set[str], list[WatchedPass]]] = {}  # of what variables held
    every = run.behind(root for one in run.passes for root in one.roots)
    is_whole = not run.trace.nodes_hidden and not run.trace.error
    for (_, root), samples in every_sample.items():
        held: list[tuple[int, int, int]] = []  # passes, minus the size, step
        most: dict[Loops, int] = {}  # the loops around an iteration -> passes, in those until then
        is_cut = False  # as in truncated backpropagation, which starts over after some iterations
        for index in samples:
            places = (*_places(run.steps[index], root),)
            if places not in known:
                ids = {id for id in run.behind(places) if id[0] == "n"}
                known[places] = ids, [one for one, nodes in visited if not ids.isdisjoint(nodes)]
            ids, through = known[places]
            if not ids <= run.nodes.keys():  # nobody knows where its graph ends
                continue
            passes = {one.loops for one in through if one.step <= index}
            held.append((len(passes), -len(ids), index))
            *outer, _ = run.steps[index].loops or ((0, 0),)
            is_cut |= len(passes) < most.get((*outer,), 0)
            most[(*outer,)] = max(len(passes), most.get((*outer,), 0))
        # several losses that share one graph go through it again, and it doesn't grow
        sizes = [(count, -size) for count, size, _ in held]
        three = zip(sizes, sizes[1:], sizes[2:], strict=False)
        if not is_cut and any(_is_less(a, b) and _is_less(b, c) for a, b, c in three):
            held_by = [_places(run.steps[at], root) for at in samples]
            starts_over = any(after < before for (before, _), (after, _) in pairwise(sizes))
            largest = max(held)[2]
            is_walked = any(walks[id] > FEW for id in run.behind(_places(run.steps[largest], root)))
            # until it starts over, each pass goes through all of it again, or a sum for printing keeps all;
            # else only nodes are left, as each pass has freed what they had saved
            if not starts_over or is_walked or _is_scalar(run.steps[largest], root):
                found.append((max(held), root, held_by, starts_over))
        elif is_whole and not is_cut and root != "_" and (one := _unused(run, samples, root, every)):
            unused.append((*one, root))
    told: list[set[str]] = []
    lines = set()
    for (count, _, index), root, held_by, starts_over in sorted(found, reverse=True):
        at = _source(run, index, _places(run.steps[index], root))
        line = run.steps[at].line
        is_derived = any(run.behind(held_by[-1]) & others for others in told)
        told.append({id_of(place) for places in held_by for place in places})
        if not is_derived and line not in lines:
            lines.add(line)
            is_list = f"{root}[0]" in run.steps[index].tensors
            is_all = not run.has_gap(-1, index)
            fields = {"name": root, "n" if is_all else "least": str(count)}
            case = "inner" if starts_over and not is_list else "list" * is_list
            yield Finding("growing", Severity.WRONG, line, at, None, case, fields)
    # At times, passes go through what these compute
    used = lines_of(run, (run.nodes[id] for id in every if id in run.nodes)) if unused else set[int]()
    for index, count, root in unused:
        graphs = run.behind(_places(run.steps[index], root))
        at = _source(run, index, _places(run.steps[index], root))
        is_own = run.steps[at].line not in used and not run.steps[at].gap  # else another line did it
        if is_own and not any(graphs & others for others in told):
            told.append(graphs)
            fields = {"name": root, "least" if run.has_gap(-1, index) else "n": str(count)}
            yield Finding("growing", Severity.NOTE, run.steps[at].line, at, None, "unused", fields)


def _is_less(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[0] and one[1] < other[1]


def _unused(run: WatchedRun, samples: list[int], root: str, used: set[str]) -> tuple[int, int] | None:
    """Return the step at the end of a loop after which a variable holds several iterations' graphs.

    They're graphs that no backward pass went through. It comes with how many there are.
    """
    samples = [at for at in samples if run.steps[at].loops]
    loops = [run.steps[at].loops for at in samples]
    for at, around, after in zip(samples, loops, [*loops[1:], ()], strict=False):
        if after and after[:-1] == around[:-1]:
            continue
        if not _is_scalar(run.steps[at], root):  # such as what goes from step to step in a model
            continue
        graphs = {id for id in run.behind(_places(run.steps[at], root)) if id[0] == "n"}
        made = (run.made(run.nodes[id]) for id in graphs if id in run.nodes)
        iterations = {run.steps[one].loops[: len(around)] for one in made if one >= 0}
        count = sum(one[:-1] == around[:-1] for one in iterations)
        next_pass = next((one.step for one in run.passes if one.step > at), len(run.steps) - 1)
        gaps = (step.gap for step in run.steps[at + 1 : next_pass + 1] if step.gap)
        if count > FEW and not graphs & used and not any(gap.runs for gap in gaps):
            return at, count
    return None


def _is_scalar(step: Step, root: str) -> bool:
    """Tell whether a variable holds nothing but tensors of one element, such as losses."""
    shapes = [one.shape for name, one in step.tensors.items() if _root(name) == root]
    return all(set(shape) <= {1} for shape in shapes)


def _places(step: Step, root: str) -> list[str]:
    return [s.place for name, s in step.tensors.items() if _root(name) == root and s.place[:1] == "n"]


def _samples(run: WatchedRun) -> dict[tuple[str | None, str], list[int]]:
    """Return the last step of each iteration, and of all, in which a function's variable holds a graph."""
    found: dict[tuple[str | None, str], dict[Loops, int]] = {}
    for index, step in enumerate(run.steps):
        for root in {_root(name) for name, one in step.tensors.items() if one.place[:1] == "n"}:
            found.setdefault((step.function, root), {})[step.loops] = index
    return {
        variable: sorted(at for loops, at in last.items() if loops or at == max(last.values()))
        for variable, last in found.items()
    }


def _source(run: WatchedRun, index: int, places: list[str]) -> int:
    """Return the step that last added to what the variable holds."""
    if len(places) == 1 and (node := run.nodes.get(id_of(places[0]))):
        made = run.made(node)
        if made >= 0:
            return made
    newest = max(places, key=lambda place: int(id_of(place)[1:]))
    for at, step in enumerate(run.steps[: index + 1]):
        names = [name for name, one in step.tensors.items() if one.place == newest]
        if names and (len(places) == 1 or any(name[-1] == "]" for name in names)):
            return at
    return index


def _root(name: str) -> str:
    return name.partition("[")[0]
