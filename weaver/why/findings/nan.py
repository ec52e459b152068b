"""The first nan or infinity."""

import re
from collections.abc import Iterator

from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedPass, WatchedRun
from weaver.why.values import has, has_zero

BAD = "nan", "inf", "-inf"


CTC = re.compile(r"\bCTCLoss\(|\bctc_loss\(")


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find the first nan if one reached a gradient or a loss; else the first infinity that did.

    If a loss that nobody watched had one before that, that's the first.
    """
    for found in _watched(run):
        bad = next((act for act in run.of("bad") if act.step <= found.step), None)
        if not bad or not (found.case == "known" or found.case.endswith("again")):
            yield found
            continue
        text = "\n".join(run.lines.texts)
        is_ctc = bad.name == "inf" and CTC.search(text) and "zero_infinity=True" not in text
        fields = {"value": bad.name, "n": str(bad.of), "option": found.fields["option"]}
        file, line = run.place(bad.line)
        if not file:  # `--from` takes the program's own; the step before may have made the weights nan
            fields["option"] = f"--from {line}@{max(bad.of - 1, 1)}"
        case = "ctc" if is_ctc else "first"
        yield Finding("nan", Severity.WRONG, bad.line, found.step, found.line, case, fields)


def _watched(run: WatchedRun) -> Iterator[Finding]:
    scaled = _scaled(run)
    what = next((texts for texts in (("nan",), BAD) if _reached(run, scaled, *texts)), None)
    if not what:
        return
    finite: set[int] = set()  # ids of states
    reached = {one.number for one in run.passes if one.failed or _arrives(one)}
    stopped: Finding | None = None  # what produced some in a pass that brings none to a leaf
    option = {"option": "--first-nan" if what == ("nan",) else "--all"}
    for index, step in enumerate(run.steps):
        again = "_again" if run.has_gap(-1, index) else ""
        if name := _known(run, index, finite, *what):
            at = run.caller(index) if name in step.given and not again else None
            case, at, fields = ("known", index, {"name": name}) if at is None else ("", at, {})
            fields |= {"value": what[0]} | option
            yield Finding("nan", Severity.WRONG, run.steps[at].line, at, None, case, fields)
            return
        for event in step.events:
            is_meant = event.run in scaled
            if event.kind == "visit" and event.passed and not is_meant and not has(event.received, *BAD):
                node = run.nodes.get(event.node or "")
                if node and has(event.passed, *BAD):
                    at = run.made(node)
                    line = run.steps[at].line if at >= 0 else step.line
                    fields = {
                        "node": node.name,
                        "value": "nan" if has(event.passed, "nan") else "inf",
                    } | option
                    if event.run in reached:
                        case = f"backward{again}"
                        yield Finding("nan", Severity.WRONG, line, index, step.line, case, fields)
                        return
                    case, at = "backward_stopped", step.line
                    stopped = stopped or Finding("nan", Severity.NOTE, line, index, at, case, fields)
        is_returned = what == ("nan",) and any(act.step == index for act in run.of("nan"))
        made = _made(run, index, *what)
        if made or is_returned:
            at, name = _origin(run, index, made)
            is_nan = not name or has(run.steps[at].tensors[name].value, "nan")
            shows = step.line if at != index else None
            fields = {"value": "nan" if is_nan else "inf"} | option
            divided = "divided" if _divides_by_zero(run, at) else ""
            case = "masked" if _is_masked(run, scaled) else f"{divided}{again}".removeprefix("_")
            yield Finding("nan", Severity.WRONG, run.steps[at].line, at, shows, case, fields)
            return
    yield from [stopped] if stopped else ()


def _arrives(one: WatchedPass) -> bool:
    """Tell whether a pass brings a nan or an infinity to a leaf."""
    return any(has(visit.received, *BAD) for visit in one.visits if visit.after is not None)


def _divides_by_zero(run: WatchedRun, index: int) -> bool:
    """Tell whether a step divided by a tensor that has zeros."""
    made = (node for node in run.trace.nodes if node.name == "DivBackward0" and run.made(node) == index)
    return any(has_zero(saved.value) for node in made for saved in node.saved if saved.name == "other")


def _known(run: WatchedRun, index: int, finite: set[int], *texts: str) -> str:
    """Return the name of what had such a value before a step already; what's `finite` grows."""
    for name, state in run.before(run.steps[index]).items():
        if id(state) not in finite and not name.endswith(".grad"):
            if has(state.value, *texts) and not _is_overwritten(run, index, state.place):
                return name
            finite.add(id(state))
    return ""


def _scaled(run: WatchedRun) -> set[int]:
    """Return the passes whose infinities a `GradScaler` deals with: it tries scales until one has none."""
    scales = {act.run for act in run.of("scale")}
    passes = [one for one in run.passes if one.number in scales]
    is_found = passes and not any(has(visit.passed, *BAD) for visit in passes[-1].visits)
    return {one.number for one in passes} if is_found else set()


def _reached(run: WatchedRun, scaled: set[int], *texts: str) -> bool:
    passes = [one for one in run.passes if one.number not in scaled]
    for one in passes:
        if any(has(visit.received, *texts) or has(visit.passed, *texts) for visit in one.visits):
            return True
    roots = {root for one in passes for root in one.roots}
    states = (state for step in run.steps for state in step.tensors.values())
    return any(state.place in roots and has(state.value, *texts) for state in states)


def _is_masked(run: WatchedRun, scaled: set[int]) -> bool:
    """Tell whether a mask kept such values out of the first loss whose pass meets one."""
    values = {state.place: state.value for step in run.steps for state in step.tensors.values()}
    for one in run.passes:
        if one.number not in scaled and _arrives(one):  # else a mask keeps it out of the gradients as well
            return all(root in values and not has(values[root], *BAD) for root in one.roots)
    return False


def _made(run: WatchedRun, index: int, *texts: str) -> str:
    """Return the name of what has such a value after a step and hadn't before."""
    step = run.steps[index]
    before = run.before(step)
    for name, state in step.tensors.items():
        if before.get(name) is not state and not name.endswith(".grad") and has(state.value, *texts):
            old = before.get(name)
            if (not old or not has(old.value, *texts)) and not _is_overwritten(run, index, state.place):
                return name
    return ""


def _is_overwritten(run: WatchedRun, index: int, place: str) -> bool:
    """Tell whether a tensor without a node was overwritten later: it was memory that nobody had filled."""
    later = (one for step in run.steps[index + 1 :] for one in step.tensors.values() if one.place == place)
    return place[:1] != "n" and any(not has(one.value, *BAD) and one.value is not None for one in later)


def _origin(run: WatchedRun, index: int, name: str) -> tuple[int, str]:
    """Return the step that made the infinity which a line turned into nan; else the line's own step."""
    words = set(re.findall(r"\w+", run.text(run.steps[index].line)))
    before = run.before(run.steps[index])
    read = [
        one
        for one, state in before.items()
        if one.partition(".")[0] in words and has(state.value, *BAD)
    ]
    for other in read:
        for at in range(index - 1, -1, -1):
            step = run.steps[at]
            state, old = step.tensors.get(other), run.before(step).get(other)
            if state and state is not old and has(state.value, *BAD) and not (old and has(old.value, *BAD)):
                return at, other
    return index, name
