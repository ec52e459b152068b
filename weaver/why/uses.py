"""What becomes of the gradients that a pass added to leaves: a step uses them, or they're reset before."""

from collections import Counter

from weaver.recording.acts import Act
from weaver.why.run import WatchedPass, WatchedRun

Uses = dict[int, dict[str, Act]]  # of the passes, by their numbers: leaf -> what was done with its gradient


def effective(run: WatchedRun) -> list[Act]:
    """Return the steps of optimizers that hold what's computed with: others only show a schedule."""
    return [act for act in run.of("step") if {*act.places} & run.touched]


def uses(run: WatchedRun) -> tuple[Uses, Uses]:
    """Return which gradients of each pass a step used, and which were reset before, as far as watched.

    As an actor's pass reaches its critic, a GAN's generator's reaches the discriminator, whose gradients are
    reset before its own step.
    """
    since: dict[str, list[int]] = {}  # leaf -> the passes since its gradient was reset or used
    used: Uses = {one.number: {} for one in run.passes}
    reset: Uses = {one.number: {} for one in run.passes}
    for one in run.in_order():
        if one is None:
            since.clear()
        elif isinstance(one, WatchedPass):
            for leaf in one.given():
                since.setdefault(leaf, []).append(one.number)
        elif one.kind in ("step", "zero"):
            became = used if one.kind == "step" else reset
            for leaf in one.places:
                for number in since.pop(leaf, ()):
                    became[number][leaf] = one
    return used, reset


def wasted(run: WatchedRun, used: Uses, reset: Uses) -> dict[int, dict[int, set[str]]]:
    """Return the leaves whose gradients from a line's passes were always reset before a step used them.

    By the line of the passes, and the line that reset them.
    """
    ever: dict[int, set[str]] = {}
    passes = Counter(one.line for one in run.passes)
    found: dict[int, dict[int, set[str]]] = {}
    for one in run.passes:
        ever.setdefault(one.line, set()).update(used[one.number])
    for one in run.passes:
        for leaf, act in reset[one.number].items():
            is_own = leaf in run.stepped - run.in_closures  # a closure resets what its step has used
            if passes[one.line] > 1 and leaf not in ever[one.line] and is_own:
                found.setdefault(one.line, {}).setdefault(act.line, set()).add(leaf)
    return found
