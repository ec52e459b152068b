"""A fact about some leaves: what they're called, by the modules that they are in."""

from weaver.why.finding import Finding, Severity
from weaver.why.groups import groups
from weaver.why.run import WatchedRun


def told(
    run: WatchedRun, line: int, step: int, case: str, places: set[str], by: str = "", also: int = 0
) -> Finding:
    """Return a fact about some leaves, with their names, `by` an optimizer, and with `also` another line."""
    is_kept = step >= 0 and run.steps[step].line == line
    state = run.steps[step].tensors if is_kept else {}
    here = {one.place: name for name, one in reversed(state.items())}  # what they're called there
    names = {place: run.names.get(place, "") for place in places}
    # There, another object may have that name
    taken = {place for place, name in names.items() if name in state and state[name].place[1:] != place[1:]}
    names |= {place: here[place] for place in taken & here.keys()}
    is_final = case.startswith(("off", "written")) or not places <= here.keys()  # else it's another name's
    known = (
        name if is_final or name in state or _is_models(run, place) else here.get(place, name)
        for place, name in names.items()
    )
    own = {place[1:] for place in places}
    frozen = {one[1:] for one, name in run.names.items() if one[0] == "p" and _is_kind(run, name)}
    leaves = (run.leaves.keys() | frozen) - own
    named = ((number, run.aliases(f"l{number}") or run.aliases(f"p{number}")) for number in leaves)
    others = {name: number for number, names_of in named for name in names_of}
    others |= {name: one.place[1:] for name, one in state.items() if one.place[1:] in leaves}
    beside = run.beside(places, others.keys())
    beside -= {*names.values()}
    # Each object is `self` in its own functions
    others = {name: number for name, number in others.items() if name in beside and name[:5] != "self."}
    aliases = {name for place in places for name in run.aliases(place)}  # one counts by one name
    fields = {"by": by, "groups": groups(known, len(places), others, aliases)}
    fields |= {"also": str(also)} if also else {}
    return Finding("trained", Severity.FACT, line, step, None, case, fields)


def _is_kind(run: WatchedRun, name: str) -> bool:
    """Tell whether a name is that of a module's parameter, by its last part."""
    return "." in name and name.rpartition(".")[2] in run.kinds


def _is_models(run: WatchedRun, place: str) -> bool:
    """Tell whether a leaf's best name is that of a model's part, and not only an object's that ran then."""
    name = run.names.get(place, "")
    return "." in name and not name.startswith("self.") and run.current(place)
