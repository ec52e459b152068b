"""Where a program reads gradients itself."""

from weaver.recording.lines import asked
from weaver.why.run import WatchedRun


def readings(run: WatchedRun) -> list[tuple[int, str]]:
    """Return the places of tensors whose `.grad` lines read, each with the step that did."""
    lines = {line: asked(run.lines.statements(line)) for line in {step.line for step in run.steps}}
    return [
        (index, states[name].place)
        for index, step in enumerate(run.steps)
        for states in [{**step.tensors, **run.before(step)} if lines[step.line] else {}]
        for name in lines[step.line]
        if name in states
    ]
