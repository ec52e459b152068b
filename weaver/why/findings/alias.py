"""What was kept of a parameter isn't a copy: it changes with the parameter."""

import ast
import re
from collections.abc import Iterator

from weaver.recording.model import Step
from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun

NAME = re.compile(r"[^\W\d]\w*")


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find what containers and objects hold of a trained leaf's storage, and a line reads after a write."""
    leaves: dict[int | None, tuple[str, int | None]] = {}  # storage -> the leaf's place, its version
    kept: dict[str, tuple[int, str, int | None]] = {}  # place -> first step, name and leaf's version there
    recording = {run.made(node) for node in run.nodes.values()}
    told: set[str] = set()  # containers
    for index, step in enumerate(run.steps):
        read = _read(run, step) if kept else set[str]()
        for name, state in run.before(step).items() if read else ():
            first, at_first, version = kept.get(state.place, (index, "", None))
            leaf, now = leaves.get(state.storage, ("", None))
            container = _container(name)
            if first < index and version != now and container in read and container not in told:
                told.add(container)
                is_used = index in recording or "load_state_dict" in run.text(step.line)
                severity = Severity.WRONG if is_used else Severity.NOTE
                fields = {"name": at_first, "leaf": run.names.get(leaf, "")}
                yield Finding("alias", severity, run.steps[first].line, first, step.line, "", fields)
        for state in step.tensors.values():
            if state.storage is not None and state.place in run.trained:
                leaves[state.storage] = state.place, state.version
        for name, state in step.tensors.items():
            leaf, version = leaves.get(state.storage, ("", None))
            is_other = state.place[:1] == "p" and state.place[1:] != leaf[1:]  # else it's the leaf itself
            if leaf and is_other and _container(name):
                kept.setdefault(state.place, (index, name, version))


def _container(name: str) -> str:
    """Return the name of the list, dictionary or attribute that a tensor is in, "" for a variable."""
    path, bracket, _ = name.partition("[")
    parts = NAME.findall(path)
    is_kept = bool(bracket) or len(parts) > 1
    return parts[-1] if is_kept and not name.endswith(".grad") else ""


def _read(run: WatchedRun, step: Step) -> set[str]:
    """Return the names of variables and attributes that a line reads."""
    found = set()
    for node in run.expressions(step.line):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            found.add(node.id if isinstance(node, ast.Name) else node.attr)
    return found
