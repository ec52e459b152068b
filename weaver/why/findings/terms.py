"""Which parameters a part of a loss reaches, if not all that the loss does, and which passes only zeros."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from weaver.recording.model import Event, id_of
from weaver.why.finding import Finding, Severity
from weaver.why.leaves import told
from weaver.why.run import WatchedPass, WatchedRun
from weaver.why.values import is_zero

SUMS = ("AddBackward", "SubBackward", "RsubBackward")
SCALES = ("MulBackward", "DivBackward", "NegBackward")
REDUCES = ("MeanBackward", "SumBackward")  # below these are elements, not parts of a loss
DEEP = 6  # nodes below a part in which its gradient may become 0
MOST = 3  # parts of one loss that are told
SEVERAL = 3  # passes of a line


def find(run: WatchedRun) -> Iterator[Finding]:
    """Say which parameters get a gradient from a named part of a loss, if others get one from the rest."""
    for one in firsts(run):
        reached, idle = parts(run, one)
        for name, case in zeros(run, one).items():
            if case != "part":
                yield Finding("trained", Severity.FACT, one.line, one.step, None, case, {"name": name})
        every = set().union(*reached.values())
        told_of: dict[frozenset[str], list[str]] = {}
        for name, leaves in reached.items():
            if name and name not in idle and leaves < every and any(map(run.names.get, leaves)):
                told_of.setdefault(frozenset(leaves), []).append(name)
        for same, names in [*told_of.items()][:MOST]:
            fact = told(run, one.line, one.step, "part", {*same})
            name = ", ".join(f"`{each}`" for each in names) if len(names) > 1 else names[0]
            yield replace(fact, fields=fact.fields | {"name": name})


def zeros(run: WatchedRun, first: WatchedPass) -> dict[str, str]:
    """Return the named parts from which only zeros flow back in a line's first pass, not parts of these.

    With each comes a case: `part` if it's so in several passes, all of them, `part_zero_first` if not in all.
    """
    names = parts(run, first)[1] - {""}
    passes = [parts(run, one) for one in run.passes if one.line == first.line] if names else []
    found: dict[str, str] = {}
    for name in sorted(one for one in names if not _is_within(run, first, one, names)):
        is_first = any(name in those and name not in idle for those, idle in passes)
        is_each = len(passes) >= SEVERAL and all(name in idle for _, idle in passes)
        found[name] = "part_zero_first" if is_first else "part" if is_each else "part_zero"
    return found


def _is_within(run: WatchedRun, one: WatchedPass, name: str, others: Collection[str]) -> bool:
    """Tell whether a part of a pass's loss is also one of another part, of these."""
    places = dict(_added(run, one.roots[0]))
    around = [places[other] for other in others if other != name]
    return any(id_of(places[name]) in run.behind([place]) for place in around)


def parts(run: WatchedRun, one: WatchedPass) -> tuple[dict[str, set[str]], set[str]]:
    """Return what optimizers hold of the leaves behind each part of a pass's loss, by the part's name.

    With it, the names of those from which only zeros flow back. The name of a part without one is "".
    """
    found: dict[str, set[str]] = {}
    working: set[str] = set()
    visits = {visit.node: visit for visit in one.visits if visit.node}
    nodes = (run.nodes[id] for id in visits if id in run.nodes)
    arriving = Counter(id_of(place) for node in nodes for place in node.next if place)
    visits = {id: visit for id, visit in visits.items() if arriving[id] < 2}  # else it received a sum
    for name, place in _added(run, one.roots[0]) if len(one.roots) == 1 and _is_whole(run, one) else ():
        name = "" if _is_of_several(run, one, place) else name
        found.setdefault(name, set()).update(run.behind([place]) & run.stepped)
        working |= set() if _is_idle(run, visits, place) else {name}
    return found, found.keys() - working


def firsts(run: WatchedRun) -> list[WatchedPass]:
    """Return the first backward pass of each line: later ones may be of another model."""
    return [*{one.line: one for one in reversed(run.passes) if one.of == "backward"}.values()][::-1]


def _is_of_several(run: WatchedRun, one: WatchedPass, place: str) -> bool:
    """Tell whether what nobody watched before a pass may have made more by a place's name, as in a loop."""
    node = run.nodes.get(id_of(place))
    made = run.made(node) if node else -1
    before = max((each.step for each in run.passes if each.number < one.number), default=-1)
    is_deeper = made < 0 or len(run.steps[made].loops) > len(one.loops)
    return is_deeper and run.has_gap(before, one.step)


def _is_idle(run: WatchedRun, visits: Mapping[str, Event], place: str) -> bool:
    """Tell whether only zeros flow back from a place, or from a node below it up to where paths part.

    `visits` has a pass's visits by their nodes.
    """
    for _ in range(DEEP):
        visit, node = visits.get(id_of(place)), run.nodes.get(id_of(place))
        values = [value for value in (visit.passed or ()) if value is not None] if visit else []
        if not visit or not node or not values:
            return False
        if all(map(is_zero, values)):
            return True
        following = [one for one in node.next if one]
        if len(following) != 1:
            return False
        [place] = following
    return False


def _is_whole(run: WatchedRun, one: WatchedPass) -> bool:
    """Tell whether all nodes behind the root of a pass are known."""
    return all(id in run.nodes for id in run.behind(one.roots) if id[0] == "n")


def _added(run: WatchedRun, root: str) -> Iterator[tuple[str, str]]:
    """Yield the places that are added up for a loss, with their own names, "" for one without."""
    todo, is_outer, sums = [(root, "")], True, Counter({name: 2 for name in run.aliases(root)})
    found: list[tuple[str, str]] = []
    while todo:
        place, name = todo.pop()
        name = name or (run.names.get(place, "") if place != root else "")
        node = run.nodes.get(id_of(place))
        following = [one for one in node.next if one] if node else []
        is_sum = node is not None and node.name.startswith(SUMS)
        is_outer &= len(following) == 1
        if node and len(following) == 1 and node.name.startswith(SCALES + REDUCES * is_outer):
            todo.append((following[0], name))
        elif is_sum:
            sums.update(run.aliases(place))
            found += [(name, place)] if name else []
            todo += [(one, "") for one in following]
        elif place[:1] == "n":
            found.append((name, place))
    # A name that a sum has as well is that of a variable to which things were added
    yield from (("" if sums[name] > 1 else name, place) for name, place in found)
