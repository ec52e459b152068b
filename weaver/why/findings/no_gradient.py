"""A parameter gets no gradient, because something cuts its path or nothing uses it."""

import ast
import re
from collections.abc import Iterator

from weaver.recording.lines import path
from weaver.recording.model import id_of
from weaver.why.consumers import lines_with, users_of
from weaver.why.copied import copied
from weaver.why.cuts import COPIES, LEADING_OUT, SAID, cuts_to, last_step, outs, switch
from weaver.why.finding import Finding, Severity
from weaver.why.findings.constant import made_before
from weaver.why.findings.not_started import unstarted
from weaver.why.findings.trained import written
from weaver.why.run import WatchedRun
from weaver.why.uses import effective

CASES = {SAID["parameter"]: "parameter"} | {f"torch.{name}()": "list" for name in COPIES}  # by what cut
LEFT = re.compile(r"\.detach\(\)(\.cpu\(\))?\.(numpy|tolist)\(\)")
INTO = re.compile(r"\.data(\[[^=]*\])?\s*=[^=]|\.data\.copy_\(|\.load_state_dict\(")
NUMBER = re.compile(r"\.\d+\.")  # in the name of a parameter: which module of a list


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find what keeps gradients from parameters."""
    if unstarted(run):
        return
    steps = effective(run)
    held = {place for act in steps for place in act.places if place[:1] == "l"}
    pairs = (pair for act in steps for pair in act.pairs())
    given = {place for place, grad in pairs if grad not in ("none", "later")}
    reached = {id for one in run.passes for id in one.ids()}
    given |= {place for act in run.of("optimizer") for place in act.updated}  # where nobody watched
    dead = held - given - reached
    # What the program itself writes, such as an average of others
    followed = {place for _, places in written(run).values() for place in places} if dead else set[str]()
    if dead and run.has_gap(-1, len(run.steps)):
        dead -= run.written(dead, max(steps[0].step, 0)) - followed
    yield from _unwound(run)
    if dead and run.passes:
        fresh = [*_unlinked(run, dead)] if dead == held else []
        yield from fresh or _unreached(run, dead, followed)
    elif held:
        yield from _of_another(run, given)


def _unlinked(run: WatchedRun, dead: set[str]) -> Iterator[Finding]:
    """Find the leaf at which all passes end instead of at the optimizer's parameters."""
    passes = [one for one in run.passes if one.of == "backward"] or run.passes
    one, fresh = passes[0], {id for id in passes[0].ids() if id[:1] == "l"}
    at = run.first(fresh)
    if not fresh or (at is not None and run.steps[at].function == "__init__"):  # else it's an object's
        return
    if at is None:
        root = run.nodes.get(id_of(one.roots[0])) if one.roots else None
        at = run.made(root) if root else -1
    line = run.steps[at].line if at >= 0 else one.line
    if any(cut.end & fresh for cuts in cuts_to(run, dead).values() for cut in cuts):  # written into these
        return
    name = next((run.names[leaf] for leaf in sorted(fresh) if leaf in run.names), "")
    if "." in name and any(name in run.aliases(place) for place in dead):  # another model took its place
        return
    before = reversed(run.steps[max(at - 199, 0) : at + 1])
    same = (step.line for step in before if step.function == run.steps[at].function)
    line = next((one for one in same if _assigns(run, one, name) and [*outs(run, one)]), line)
    returned = _returned(run, at)
    if returned != at and not any(True for _ in outs(run, line)):
        at, line = returned, run.steps[returned].line
    fields = {
        "name": name,
        "by": next(outs(run, line), ""),
        "leaf": min(filter(None, map(run.names.get, dead)), default="model.parameters()"),
    }
    ways = (edge for edge in run.trace.edges if edge.why in ("detach", "operation") and edge.born >= 0)
    cuts = {edge.end: edge.born for edge in ways if run.behind([edge.start]) & dead}
    cut = _cut_before(run, line, at, cuts) if at >= 0 and not fields["by"] else None
    if cut is not None:  # a leaf made of what has no graph any more
        fields["also"] = str(run.steps[cut].line)
    case = "fresh_cut" if "also" in fields else "fresh"
    yield Finding("no_gradient", Severity.WRONG, line, one.step, one.line, case, fields)


def _returned(run: WatchedRun, at: int) -> int:
    """Return the step that made a leaf in a function's `return`, if a step called that one, else the step."""
    inner = run.steps[at - 1] if at > 0 else None
    is_return = inner and inner.depth > run.steps[at].depth and run.text(inner.line)[:6] == "return"
    return _returned(run, at - 1) if is_return else at


def _cut_before(run: WatchedRun, line: int, index: int, cuts: dict[str, int]) -> int | None:
    """Return the step of the cut, of those by place, behind what the line of a later step reads."""
    before = run.before(run.steps[index])
    for name in {path(part) or "" for part in run.expressions(line)} & before.keys():
        if (place := before[name].place) in cuts:
            return cuts[place]
        made = made_before(run, name, place, index)
        if made is not None and (cut := _cut_before(run, run.steps[made].line, made, cuts)) is not None:
            return cut
    return None


def _unwound(run: WatchedRun) -> Iterator[Finding]:
    """Find a reentrant checkpoint whose parameters have no gradient in any step after it."""
    acts = run.of("checkpoint")
    since = {place: act for act in reversed(acts) for place in act.places}
    grads: dict[str, set[str]] = {}
    for step in run.of("step") if acts else ():
        for place, grad in step.pairs():
            if place in since and step.run > since[place].run:
                grads.setdefault(place, set()).add(grad)
    found = sorted(place for place, several in grads.items() if several == {"none"})
    if found:
        act, fields = since[found[0]], run.named(found)
        yield Finding("no_gradient", Severity.WRONG, act.line, act.step, None, "checkpoint", fields)


def _unreached(run: WatchedRun, dead: set[str], followed: set[str]) -> Iterator[Finding]:
    """Find what cuts the paths to some leaves, and of the others but those `followed`, who isn't used."""
    missing = (none for step in run.steps for none in step.missing if none.line)
    told = {none.name: none for none in missing if none.why in ("cut", "operation")}
    reached = {id for one in run.passes for id in one.ids() if id[:1] == "l"}
    now = {run.names.get(place) for place in reached} - {None}
    # else its name is another's by now
    dead = {one for one in dead if run.names.get(one) not in now or run.stepped_as(one)}
    cuts = cuts_to(run, dead)
    dead = dead - {place for act in run.of("checkpoint") for place in act.places if place not in cuts}
    found: dict[tuple[int, str], tuple[int, list[str], list[int]]] = {}  # -> the step, leaves, other lines
    apart = []
    for place in sorted(dead):
        names = [name for name in run.aliases(place) if name in told]
        if names:
            line, by = told[names[0]].line or 0, told[names[0]].by
            (line, step), others = switch(run, line, last_step(run, line, len(run.steps) - 1), by), []
        elif place in cuts:
            ordered = sorted(cuts[place], key=lambda cut: not cut.by)  # an operation can't be left out
            by = ordered[0].by
            (line, step), *more = [cut.switch(run) for cut in ordered]
            others = sorted({other for other, _ in more} - {line})
        else:
            apart.append(place)
            continue
        found.setdefault((line, by), (step, [], others))[1].append(place)
    twins = copied(run, dead) if any(by == SAID["detach"] for _, by in found) else {}
    for (line, by), (step, places, others) in found.items():
        fields = run.named(places) | {"by": by}
        if alike := [place for place in places if place in twins and by == SAID["detach"]]:
            at, twin = twins[alike[0]]
            fields = run.named(alike) | {"by": by, "leaf": run.names.get(twin, "")}
            yield Finding("no_gradient", Severity.WRONG, run.steps[at].line, at, line, "copied", fields)
            continue
        if by == SAID["detach"] and (out := LEFT.search(run.text(line))):
            fields["by"] = out[0].lstrip(".")  # without detach(), the rest would raise an error
        if by and others:
            fields["also"] = ", ".join(map(str, others))
        cut = "several" if others else "into" if INTO.search(run.text(line)) else CASES.get(by, "cut")
        case = "grad" if by == SAID["backward"] else cut if by else "operation"
        severity = Severity.NOTE if followed.issuperset(places) else Severity.WRONG
        yield Finding("no_gradient", severity, line, step, None, case, fields)
    apart = [one for one in apart if run.stepped_as(one)]  # still there
    owners = {_owner(run, place) for place in reached} - {""}
    partial = [one for one in apart if _owner(run, one) in owners]  # such as the bias, of a derivative
    siblings = [one for one in _with_used_sibling(run, apart, reached) if one not in partial]
    unused = [one for one in apart if one not in {*siblings, *partial, *followed}]
    users = users_of(run, {*unused, *siblings})
    ends = {_owner(run, one) for one in users}
    idle = [one for one in (*unused, *siblings) if _owner(run, one) in ends]
    unused, siblings = ([one for one in each if one not in idle] for each in (unused, siblings))
    if any(step.hidden for step in run.steps) and run.has_gap(-1, len(run.steps)):  # where they had theirs
        siblings = []
    named = ("apart", unused), ("apart", partial), ("unused", siblings)  # many a loss leaves out a head
    firsts = [(case, run.first(places) or 0, places) for case, places in named if places]
    for case, first, places in firsts + [("idle", *one) for one in lines_with(run, users, idle)]:
        fields = run.named(places)
        yield Finding("no_gradient", Severity.NOTE, run.steps[first].line, first, None, case, fields)


def _of_another(run: WatchedRun, given: set[str]) -> Iterator[Finding]:
    """Find an optimizer's leaves that only get gradients for other optimizers, as something cuts paths."""
    for maker in run.of("optimizer"):
        steps = run.stepping.get(maker.of, [])
        has = {place for act in steps for place, grad in act.pairs() if grad != "none"} | {*maker.updated}
        lost = {*maker.places} & given - has
        if len(steps) < 2 or not has or not lost:
            continue
        cuts = {place: first for place, (first, *_) in cuts_to(run, lost).items()}
        # What leads out of torch may only be printed
        cuts = {place: cut for place, cut in cuts.items() if cut.by and not LEADING_OUT.search(cut.by)}
        if cuts:
            cut = min(cuts.values(), key=lambda cut: cut.step)
            line, step = cut.switch(run)
            places = [place for place, one in cuts.items() if one.switch(run)[0] == line]
            fields = run.named(places) | {"by": cut.by}
            yield Finding("no_gradient", Severity.NOTE, line, step, maker.line, "held", fields)
            return


def _owner(run: WatchedRun, place: str) -> str:
    """Return the name of the module that a parameter is in, "" if it isn't known."""
    return run.names.get(place, "").rpartition(".")[0]


def _with_used_sibling(run: WatchedRun, leaves: list[str], used: set[str]) -> list[str]:
    """Return the leaves that are alternatives: others of their list are used, and nothing of their entry."""
    inside = [run.names[place] for place in used if place in run.names]

    def is_other(name: str) -> bool:
        for one in NUMBER.finditer(name):  # outer lists first
            if not any(other.startswith(name[: one.end()]) for other in inside):
                in_list = (other for other in inside if other.startswith(name[: one.start()]))
                return any(NUMBER.match(other, one.start()) for other in in_list)
        return False

    return [place for place in leaves if is_other(run.names.get(place, ""))]


def _assigns(run: WatchedRun, line: int, name: str) -> bool:
    """Tell whether a line assigns to a variable, or adds to it."""
    targets = [
        target
        for one in run.lines.statements(line)
        if isinstance(one, ast.Assign | ast.AugAssign | ast.AnnAssign)
        for target in (one.targets if isinstance(one, ast.Assign) else [one.target])
    ]
    return any(path(target) == name for target in targets)
