"""What the tensors of a run are called."""

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from weaver.recording.lines import SourceLines
from weaver.recording.model import Step, Trace
from weaver.why.groups import groups

LISTED = re.compile(r"\w+\[\d+\]")  # in a list of one's own
NUMBERED = re.compile(r"\bparam_groups\[|\['params'\]\[")  # as an optimizer calls a parameter


def variable(name: str) -> str:
    """Return the variable that a name begins with: `model` of `model.0.weight`."""
    return re.split(r"[.\[]", name, maxsplit=1)[0]


class Names:
    """The names of places in a trace, and when each was first seen."""

    trace: Trace
    steps: list[Step]
    lines: SourceLines

    @cached_property
    def _known_as(self) -> dict[str, Counter[tuple[int, str]]]:
        """Return, for each place, in how many steps of each depth it had each name."""
        found = {place: Counter({(0, name): 1}) for place, name in self.trace.names.items()}
        for depth, state in [(0, self.trace.before), *((step.depth, step.tensors) for step in self.steps)]:
            for name, tensor in state.items():
                found.setdefault(tensor.place, Counter())[depth, name] += 1
        return found

    @cached_property
    def seen(self) -> dict[str, int]:
        """Return the index of the step after which each place was first seen, -1 if that was before."""
        found = {state.place: -1 for state in self.trace.before.values()}
        for index, step in enumerate(self.steps):
            for state in step.tensors.values():
                found.setdefault(state.place, index)
        return found

    @cached_property
    def names(self) -> dict[str, str]:
        """Return the best name of each place: the outermost function's, for longest, and no gradient's.

        The variable of a loop has led to many, and lists and an optimizer's groups have numbers: they're
        taken only if there's no other. A name that led to more than another says less.
        """
        passing = self.loop_variables
        ends: dict[str, set[str]] = {}
        for place, known in self._known_as.items():
            for _, name in known:
                ends.setdefault(name, set()).add(place[1:])

        def rank(depth: int, name: str, times: int) -> tuple[object, ...]:
            is_passing = re.split(r"\W", name, maxsplit=1)[0] in passing or bool(NUMBERED.search(name))
            is_listed, is_part = bool(LISTED.fullmatch(name)), bool(LISTED.match(name))
            is_grad, others = name.endswith(".grad"), len(ends[name])
            return is_grad, is_passing, is_listed, depth, is_part, others, -times, len(name), name

        return {
            place: str(min(rank(*one, times) for one, times in known.items())[-1])
            for place, known in self._known_as.items()
        }

    @cached_property
    def leaves(self) -> dict[str, str]:
        """Return the best names of leaves that require a gradient, or did, by the numbers of their places."""
        return {place[1:]: name for place, name in self.names.items() if place[:1] == "l"}

    @cached_property
    def loop_variables(self) -> set[str]:
        """Return the variables to which a loop assigns."""
        loops = (one for one in self.lines.every() if isinstance(one, ast.For | ast.AsyncFor))
        parts = (part for one in loops for part in ast.walk(one.target))  # `for self.i in` stores in no name
        return {one.id for one in parts if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}

    def usual(self, place: str) -> str:
        """Return the name that a place had for longest, in any function."""
        known = Counter[str]()
        for (_, name), times in self._known_as.get(place, {}).items():
            known[name] += times

        def rank(name: str) -> tuple[object, ...]:
            return name.endswith(".grad"), bool(NUMBERED.search(name)), -known[name], len(name), name

        return min(known, key=rank, default="")

    @cached_property
    def last_steps(self) -> dict[str, int]:
        """Return what optimizers held when they stepped, each with the end of the last watched step."""
        found: dict[str, int] = {}
        for act in self.trace.acts:
            if act.kind == "step":
                found |= {place: max(found.get(place, 0), act.step + 1) for place in act.places}
        return found

    @cached_property
    def stepped(self) -> set[str]:
        """Return what optimizers held when they stepped."""
        return {*self.last_steps}

    @cached_property
    def _partial(self) -> set[str]:
        """Return the variables that some state lists only partly."""
        return {variable(name) for step in self.steps for name in step.hidden}

    def current(self, place: str) -> bool:
        """Tell whether the best name of a place still leads there where it's seen last."""
        last = self.leads(self.names.get(place, ""))
        return not last or last[1:] == place[1:]

    def stepped_as(self, place: str) -> bool:
        """Tell whether the best name of a place led there at its optimizer's last step."""
        last = self.leads(self.names.get(place, ""), self.last_steps.get(place))
        return not last or last[1:] == place[1:]

    def leads(self, name: str, end: int | None = None) -> str:
        """Return the place where a name leads that's seen last, before a step if it's given; else ""."""
        steps = reversed(self.steps[:end])
        return next((step.tensors[name].place for step in steps if name in step.tensors), "")

    def led_to(self, name: str, place: str) -> int:
        """Return the first step after which a name leads to a place, the number of steps if it never does."""
        steps = (at for at, step in enumerate(self.steps) if name in step.tensors)
        return next((at for at in steps if self.steps[at].tensors[name].place == place), len(self.steps))

    @cached_property
    def _listed(self) -> list[tuple[dict[str, str], set[str]]]:
        """Return each different state: where its names lead, and the variables that it lists only in part."""
        found: dict[tuple[tuple[str, str], ...], tuple[dict[str, str], set[str]]] = {}
        for step in self.steps:
            names = {name: one.place for name, one in step.tensors.items()}
            _, hidden = found.setdefault((*names.items(),), (names, set()))
            hidden |= {variable(name) for name in step.hidden}
        return [*found.values()]

    def others(self, names: Mapping[str, str], leaves: Collection[str]) -> dict[str, str]:
        """Return the names of further leaves of the objects by which places are named, with their numbers.

        They come from one state, if all names of an object's places lead there in it and it hides nothing of
        that object: otherwise nobody knows how many leaves there are. `leaves` are numbers.
        """

        def fits(listed: Mapping[str, str]) -> set[str]:
            return {name for place, name in names.items() if listed.get(name, "")[1:] == place[1:]}

        listed, hidden = max(self._listed, key=lambda one: len(fits(one[0])), default=({}, set()))
        known = fits(listed)
        elsewhere = {variable(name) for name in names.values() if name not in known}
        roots = {variable(name) for name in known} - elsewhere - hidden
        found = {name: place[1:] for name, place in listed.items() if place[1:] in leaves}
        return {name: number for name, number in found.items() if variable(name) in roots}

    def is_beside(self, name: str, place: str, others: Mapping[str, str]) -> bool:
        """Tell whether a name leads to a place in a state in which another name leads to its own."""
        return any(
            listed.get(name) == place and any(listed.get(one) == other for one, other in others.items())
            for listed, _ in self._listed
        )

    def first(self, places: Iterable[str]) -> int | None:
        """Return the first step after which one of some places was seen, None if there's none."""
        return min((self.seen[place] for place in places if self.seen.get(place, -1) >= 0), default=None)

    def aliases(self, place: str) -> Collection[str]:
        """Return all names that a place has had."""
        return {name for _, name in self._known_as.get(place, ())}

    def within(self, owners: Iterable[str]) -> set[str]:
        """Return the places of what's in some objects, by any of their names."""
        begin = (*(f"{owner}." for owner in owners),)
        return {place for place in self.names if any(one.startswith(begin) for one in self.aliases(place))}

    def named(self, places: Collection[str]) -> dict[str, str]:
        """Return the `name` of some places for a sentence, if they're several, by the modules they're in.

        What has one name at different times counts once.
        """
        names = sorted({self.names[place] for place in places if self.names.get(place)})
        count = len(names) + sum(not self.names.get(place) for place in {*places})
        if count < 2 or not names:
            return {"name": names[0] if names else ""}
        is_least = not self._partial.isdisjoint(map(variable, names))
        known = {place: self.names[place] for place in places if self.names.get(place)}
        others = self.others(known, self.leaves.keys() - {place[1:] for place in places})
        also = {name for place in places for name in self.aliases(place)}
        return {"name": groups(names, count, others, also, is_least=is_least)}
