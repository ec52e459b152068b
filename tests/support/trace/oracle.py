"""Compares the state after each top-level line of a trace with a plain run that is cut off there.

`PYTHONPATH=tests python -m support.trace.oracle` does so for every snippet and 300 generated programs, and
compares the gradients of the engine's steps with those of `torch.autograd.grad`.
"""

import ast
import math
import sys
from bisect import bisect_right
from pathlib import Path

from support.trace.programs import generated
from support.trace.warm import gradients, left_by, plain, traced
from weaver.recording.lines import SourceLines
from weaver.recording.model import Range, TensorState

ROOT = Path(__file__).parents[3]
COMPARED = ("value", "shape", "dtype", "requires_grad", "is_leaf", "grad_fn", "version")


def differences(path: str, source: str) -> list[str]:
    """Return what differs between the trace of a program and its plain runs, as sentences; none is right."""
    trace, _, _ = traced(path, source)
    if trace is None:
        return [f"{path} left no trace."]
    error, printed, _ = plain(path, source)
    found = []
    told = "".join(map(printed_by, trace.steps)) + trace.printed_at_end
    if (trace.error, told) != (error, printed):
        found.append(f"{path} printed {printed!r} ({error}), watched {told!r} ({trace.error}).")
    for line, step, said in ends(trace, source):
        facts, output = left_by(path, cut(source, line))
        if said != output:
            found.append(f"{path}:{line} had printed {output!r}, watched {said!r}.")
        found += [f"{path}:{line} {one}" for one in unlike(path, cut(source, line), step.tensors, facts)]
    return found


def unlike(path: str, source: str, tensors: dict[str, TensorState], facts: dict | None = None) -> list[str]:
    """Return what differs between a state and what a plain run of a program leaves, as sentences.

    `facts` is what such a run left, if that is known.
    """
    facts = left_by(path, source)[0] if facts is None else facts
    found = list(_unlike(tensors, facts))
    if found:  # it may be memory that the program never wrote to
        again = [left_by(path, source, stirred)[0] for stirred in (0x15, 0x2A)]
        random = {name for name in facts if again[0][name]["value"] != again[1][name]["value"]}
        found = [one for one in found if one.split(".value is ")[0] not in random]
    return found


def unlike_gradients(path: str, source: str) -> tuple[int, list[str]]:
    """Compare what arrived at the engine's nodes with `torch.autograd.grad` of each tensor with a name there.

    Return how many were compared, and what differs, as sentences.
    """
    trace, _, _ = traced(path, source)
    if trace is None:
        return 0, []
    asked, compared, found = gradients(path, source), 0, []
    for run, step, visits in runs(trace):
        for name, gradient in (asked[run] if run < len(asked) else {}).items():
            place, _, output = (
                step.tensors[name].place.partition(".") if name in step.tensors else ("", "", "")
            )
            arrived = visits.get(place, [])[int(output or 0) :][:1]
            if arrived and gradient is not None:
                compared += 1
                if not close(arrived[0], gradient):
                    found.append(
                        f"{path}:{step.line} {name} got {arrived[0]}, and autograd.grad gives {gradient}."
                    )
    return compared, found


def runs(trace):
    """Yield of each call of the engine that came to its end the number, the step and what arrived where."""
    visits, failed = {}, set()
    steps = {event.run: step for step in trace.steps for event in step.events}  # the last one is the caller
    for event in (event for step in trace.steps for event in step.events):
        if event.kind == "visit":
            visits.setdefault(event.run, {})[event.node] = event.received
        failed |= {event.run} if event.kind == "failed" else set()
    return [(run, steps[run], found) for run, found in visits.items() if run not in failed]


def close(one, other):
    """Tell whether two values are the same but for the last digits."""
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, float | int) and isinstance(other, float | int):
        return math.isclose(one, other, rel_tol=1e-5, abs_tol=1e-7)
    return isinstance(one, Range) or one == other


def cut(source: str, line: int) -> str:
    """Return the program up to the end of the top-level statement that begins on `line`."""
    nodes = [node for node in ast.parse(source).body if SourceLines(source).first(node.lineno) == line]
    return "".join(source.splitlines(keepends=True)[: nodes[-1].end_lineno])


def ends(trace, source):
    """Yield the line of each top-level statement, the last step in it, and all that was printed by then."""
    source = source if trace.steps else ""  # else it may be no Python
    first = SourceLines(source).first
    starts = [
        first(min([one.lineno, *(at.lineno for at in getattr(one, "decorator_list", []))]))
        for one in ast.parse(source).body
    ]
    said, pending = "", None
    for step in trace.steps:
        said += printed_by(step)
        if step.depth:
            continue
        start = starts[bisect_right(starts, step.line) - 1]
        if pending and pending[0] != start:
            yield pending
        pending = start, step, said
    if pending:
        yield pending


def printed_by(step) -> str:
    """Return what a step printed, with what those left out before it did."""
    return (step.gap.printed if step.gap else "") + step.printed


def _unlike(tensors, plain):
    if tensors.keys() != plain.keys():
        yield f"has {sorted(plain)}, watched {sorted(tensors)}."
        return
    for name, facts in plain.items():
        for key in COMPARED:
            if facts[key] != getattr(tensors[name], key):
                yield f"{name}.{key} is {facts[key]!r}, watched {getattr(tensors[name], key)!r}."
    ours, theirs = (
        _sharing({n: f.storage for n, f in tensors.items()}),
        _sharing({n: f["storage"] for n, f in plain.items()}),
    )
    if ours != theirs:
        yield f"shares storage as {theirs}, watched {ours}."


def _sharing(storages):
    groups = {}
    for name, storage in storages.items():
        if storage is not None:
            groups.setdefault(storage, []).append(name)
    return sorted(map(sorted, groups.values()))


def snippets() -> list[tuple[str, str]]:
    """Return the path and the source of every snippet."""
    return [(str(path), path.read_text("utf-8")) for path in sorted((ROOT / "snippets").rglob("*.py"))]


def main(words):
    programs = [one for one in [*snippets(), *generated(300)] if not words or any(w in one[0] for w in words)]
    wrong = compared = 0
    for number, (path, source) in enumerate(programs):
        found = differences(path, source)
        gradients, unlike = unlike_gradients(path, source)
        compared, found = compared + gradients, found + unlike
        wrong += bool(found)
        print(*found, sep="\n", end="\n" if found else "", flush=True)
        print(f"{number + 1} of {len(programs)}", file=sys.stderr, flush=True)
    print(f"{len(programs)} programs, {wrong} differ; {compared} gradients are those of autograd.grad.")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
