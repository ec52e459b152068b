"""What the player is told of a program's acts, by the steps in whose line they're known to have happened."""

from collections import Counter
from collections.abc import Iterable, Iterator

from weaver.recording.acts import USED, Act
from weaver.recording.model import Trace

NAMED = 4  # leaves that a step found without a gradient are named


def modes(trace: Trace) -> dict[int, tuple[str, bool, bool]]:
    """Return the class of the module that a step put into a mode, whether that's training, and was before.

    A step that did so with several modules isn't told.
    """
    return {act.step: (act.name, act.on, act.same) for act in _single(_own_acts(trace, "mode"))}


def updated(trace: Trace) -> dict[int, tuple[str, int, int, int, bool, list[str]]]:
    """Return the optimizer's class, by steps, and how many gradients were something, 0, and None.

    And whether its learning rate was 0, and a few leaves whose gradient was None.
    """
    own = [act for act in _own_acts(trace, "step") if "later" not in act.grads]
    grads = ((act, dict(act.pairs())) for act in _single(own))  # a parameter may be held twice
    counted = ((act, Counter("some" if one in USED else one for one in of.values())) for act, of in grads)
    return {
        act.step: (act.name, of["some"], of["zero"], of["none"], act.on, _without(act)) for act, of in counted
    }


def clipped(trace: Trace) -> dict[int, list[str]]:
    """Return the leaves whose gradients a step clipped, by the steps."""
    own = _own_acts(trace, "clip")
    return {act.step: [place for place, grad in act.pairs() if grad != "none"] for act in own}


def emptied(trace: Trace) -> dict[int, tuple[int, str]]:
    """Return how many gradients a step reset, or divided by the number that follows, by the steps."""
    own = [act for kind in ("zero", "unscale") for act in _own_acts(trace, kind)]
    # A parameter may be held twice
    grads = ((act, Counter(dict(act.pairs()).values())) for act in _single(own))
    return {act.step: (of["some"], act.name * (act.kind == "unscale")) for act, of in grads}


def _without(act: Act) -> list[str]:
    """Return the leaves without a gradient in a step that used others, if they're few."""
    none = [place for place, grad in dict(act.pairs()).items() if grad == "none"]
    return none if len(none) <= NAMED and len(none) < len(act.places) else []


def _single(acts: Iterable[Act]) -> list[Act]:
    """Return the acts that are the only ones in their step."""
    every = [*acts]
    times = Counter(act.step for act in every)
    return [act for act in every if times[act.step] == 1]


def _own_acts(trace: Trace, kind: str) -> Iterator[Act]:
    """Yield the acts of a kind that are known to have happened in the line of their step, not in a gap."""
    among = (act for act in trace.acts if act.kind == kind and 0 <= act.step < len(trace.steps))
    return (act for act in among if trace.steps[act.step].line == act.line)
