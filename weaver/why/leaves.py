"""What leaves are: an input, what a program writes, and a fact about some, by the modules they're in."""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from weaver.recording.lines import path
from weaver.why.finding import Finding, Severity
from weaver.why.groups import groups
from weaver.why.names import variable
from weaver.why.run import WatchedRun


def told(
    run: WatchedRun,
    line: int,
    step: int,
    case: str,
    places: set[str],
    by: str = "",
    also: int = 0,
    is_least: bool = False,
) -> Finding:
    """Return a fact about some leaves, with their names, `by` an optimizer, and with `also` another line.

    It may hold for others (`is_least`) where nobody watched, unless the line itself names these.
    """
    is_kept = step >= 0 and run.steps[step].line == line
    state = run.steps[step].tensors if is_kept else {}
    here = {one.place: name for name, one in reversed(state.items())}  # what they're called there
    names = {place: run.names.get(place, "") for place in places}
    # There, another object may have that name
    taken = {place for place, name in names.items() if name in state and state[name].place[1:] != place[1:]}
    names |= {place: here[place] for place in taken & here.keys()}
    is_final = case.startswith(("off", "written")) or not places <= here.keys()  # else it's another name's
    best = {*run.names.values()}  # by one of these, it would be taken for another
    known = {
        place: name
        if is_final or name in state or _is_models(run, place) or here.get(place) in best
        else here.get(place, name)
        for place, name in names.items()
    }
    known = _by_fewest_variables(run, known)
    own = {place[1:] for place in places}
    frozen = {one[1:] for one, name in run.names.items() if one[0] == "p" and _is_kind(run, name)}
    leaves = (run.leaves.keys() | frozen) - own
    others = run.others(known, leaves)
    aliases = {name for place in places for name in run.aliases(place)}  # one counts by one name
    every = {name for place, name in run.names.items() if place[1:] in leaves}
    count = len({*known.values()} - {""}) + sum(not name for name in known.values())
    fields = {"by": by, "groups": groups(known.values(), count, others, aliases, every)}
    fields |= {"also": str(also)} if also else {}
    is_least = is_least and not all(_names(run, line, known[place]) for place in places)
    return Finding("trained", Severity.FACT, line, step, None, case, fields, is_least)


def _names(run: WatchedRun, line: int, name: str) -> bool:
    """Tell whether a line has a tensor's name whose variable isn't one of a loop."""
    is_own = variable(name) not in run.loop_variables | {"self"}
    spelled = re.sub(r"\\\.(\d+)", r"(\\.\1|\\[\1\\])", re.escape(name))  # `net.0` may be `net[0]` there
    return is_own and bool(re.search(rf"(?<![\w.]){spelled}(?!\w)", run.text(line)))


def _by_fewest_variables(run: WatchedRun, names: dict[str, str]) -> dict[str, str]:
    """Return names of leaves, by the variable that most are called by if it leads to others as well.

    So two variables that lead to one model aren't two models.
    """
    times = Counter(variable(name) for name in names.values() if "." in name)
    del times["self"]  # another object in each class

    def best(place: str, name: str) -> str:
        every = (one for one in sorted(run.aliases(place)) if "." in one)
        more = [one for one in every if times[variable(one)] > times[variable(name)] > 0]
        for one in sorted(more, key=lambda one: -times[variable(one)]):
            same = {other: at for at, other in names.items() if variable(other) == variable(one)}
            if run.is_beside(one, place, same):  # else it's another variable of that name
                return one
        return name

    return {place: best(place, name) for place, name in names.items()}


def _is_kind(run: WatchedRun, name: str) -> bool:
    """Tell whether a name is that of a module's parameter, by its last part."""
    return "." in name and name.rpartition(".")[2] in run.kinds


def _is_models(run: WatchedRun, place: str) -> bool:
    """Tell whether a leaf's best name is that of a model's part, and not only an object's that ran then."""
    name = run.names.get(place, "")
    return "." in name and not name.startswith("self.") and run.current(place)


def is_input(run: WatchedRun, place: str) -> bool:
    """Tell whether a leaf is what `autograd.grad` is asked for, or was data before it required a gradient."""
    kinds = {name.rpartition(".")[2] for name in run.aliases(place)}
    is_data = run.seen.get(f"p{place[1:]}", len(run.steps)) < run.seen.get(place, 0)
    return (is_data and not kinds & run.kinds) or is_asked(run, place)


def is_asked(run: WatchedRun, place: str) -> bool:
    """Tell whether a leaf isn't a weight, and the program asks for its gradient with `autograd.grad`."""
    is_weight = any(name.endswith((".weight", ".bias")) for name in run.aliases(place))
    passes = [one for one in run.passes if one.of == "grad"]
    names = {line: [path(one) for one in asked_of_grad(run, line)] for line in {one.line for one in passes}}
    behind = ((leaf, names[one.line]) for one in passes for leaf in run.behind(one.roots))
    # By its name: another one may be asked for then
    asked = {run.names.get(leaf) for leaf, of in behind if not all(of) or _leads(run, of, leaf)}
    return not is_weight and run.names.get(place) in asked


def _leads(run: WatchedRun, names: Iterable[str | None], leaf: str) -> bool:
    """Tell whether one of some names leads to a leaf, or to what it's in."""
    known = [*filter(None, names)]
    within = tuple(f"{name}{sign}" for name in known for sign in ".[")
    return not known or any(one in known or one.startswith(within) for one in run.aliases(leaf))


def asked_of_grad(run: WatchedRun, line: int) -> Iterator[ast.expr]:
    """Yield the expressions that a line hands to `autograd.grad` as inputs."""
    for node in run.expressions(line):
        if isinstance(node, ast.Call) and (path(node.func) or "").rpartition(".")[2] == "grad":
            given = [*node.args[1:2], *(each.value for each in node.keywords if each.arg == "inputs")]
            for each in given:
                yield from each.elts if isinstance(each, ast.Tuple | ast.List) else [each]


def is_written(run: WatchedRun, place: str, since: int = -1) -> bool:
    """Tell whether a leaf's values change after its first gradient since a step, so something updates it."""
    passes = (one.step for one in run.passes if one.step > since and place in one.ids())
    first = next(passes, len(run.steps))
    states = (step.tensors.values() for step in run.steps[first:])
    values = [state.value for several in states for state in several if state.place[1:] == place[1:]]
    return any(value != values[0] for value in values[1:])
