"""Which leaves got their values as copies of others, before anything was trained."""

from collections.abc import Collection

from weaver.why.run import WatchedRun
from weaver.why.values import varies


def copied(run: WatchedRun, places: Collection[str]) -> dict[str, tuple[int, str]]:
    """Return the step after which a leaf first has the values of another one, and that one's place."""
    end = run.passes[0].step if run.passes else len(run.steps)
    found: dict[str, tuple[int, str]] = {}
    for index, step in enumerate(run.steps[:end]):
        before = run.before(step)
        for name, state in step.tensors.items():
            old = before.get(name)
            # What's the same everywhere may be equal to another by chance
            if state.place not in places or not old or old.value == state.value or not varies(state.value):
                continue
            leaves = (one for one in step.tensors.values() if one.place[:1] == "l")
            others = (one for one in leaves if one.place not in places)
            twin = next((one for one in others if (one.shape, one.value) == (state.shape, state.value)), None)
            if twin:
                found.setdefault(state.place, (index, twin.place))
    return found
