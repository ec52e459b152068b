"""Gradients add up over steps, because nothing empties them."""

import operator
import re
from collections.abc import Iterator
from itertools import takewhile

from weaver.recording.acts import Act
from weaver.recording.model import id_of
from weaver.why.finding import Finding, Severity
from weaver.why.findings.moved import changed
from weaver.why.gradients import is_first, met, resetting_call
from weaver.why.run import WatchedPass, WatchedRun

SEVERAL = 2  # passes in such a sum that no step uses
MANY = 2  # passes whose gradients may well be meant to add up
RESETS = re.compile(r"zero_grad|\bgrad\b.*(zero_|None|fill_|mul_|\*=)|\.grad\s*=")
DECAY = re.compile(r"\.grad(\.data)?(\.(mul|div)_|\s*[*/]=)")  # momentum by hand


def find(run: WatchedRun) -> Iterator[Finding]:
    """Find steps with gradients that were meant for an earlier step, of the same optimizer or another."""
    decayed = {place for at, place in run.readings if DECAY.search(run.text(run.steps[at].line))}
    used: dict[tuple[int, str], set[int]] = {}  # optimizer, leaf -> the passes that a step has used
    turns: dict[int, set[int]] = {}  # pass -> the optimizers that stepped after it, before the next one
    again: dict[tuple[int, int], tuple[list[str], int]] = {}  # lines -> leaves, the step
    mixed: dict[tuple[int, int], tuple[list[str], int]] = {}
    inputs: dict[int, tuple[str, dict[str, int], WatchedPass, Act]] = {}  # line -> input, leaves, pass, step
    lines: dict[int, list[tuple[Act, dict[str, set[int]]]]] = {}  # optimizer -> steps, the lines of passes
    asked = _asked(run)
    for act, held in _steps(run):
        passed = {place: {one.line for one in passes} for place, passes in held.items()}
        lines.setdefault(act.of, []).append((act, passed))
        turns.setdefault(act.run - 1, set()).add(act.of)
        for place, passes in held.items() if decayed.isdisjoint(act.places) else ():
            known = used.setdefault((act.of, place), set())
            if len(passes) > 1 and passes[-1].number not in known and known & {p.number for p in passes}:
                again.setdefault((passes[-1].line, act.line), ([], act.step))[0].append(place)
            elif turns.get(passes[-1].number) == {act.of} and (other := _of_another(run, act, passes, turns)):
                mixed.setdefault((other.line, act.line), ([], act.step))[0].append(place)
            for each in passes[:-1]:
                if each.number in asked and each.line != passes[-1].line:
                    leaves = inputs.setdefault(each.line, (asked[each.number], {}, each, act))[1]
                    leaves[place] = leaves.get(place, 0) + (act is inputs[each.line][3])
            known |= {each.number for each in passes}
    if never := None if again or decayed else _never(run):
        yield never
        return
    mixed = mixed or ({} if decayed else _left_over(run))
    inputs = inputs or ({} if decayed else _before_a_loss(run, asked))
    for (line, at), (places, step) in again.items():
        emptied = _emptied_instead(run, line, {*places})
        case = "other" * bool(emptied)
        fields = run.named(places) | {"call": resetting_call(run, at)}
        yield Finding(
            "accumulates", Severity.WRONG, emptied or line, step, line if emptied else at, case, fields
        )
    for (line, at), (places, step) in () if again else mixed.items():
        fields = run.named(places) | {"call": resetting_call(run, at)}
        yield Finding("accumulates", Severity.WRONG, line, step, at, "mixed", fields)
    for line, (leaf, counts, one, act) in () if again or mixed else inputs.items():
        # The gradients of one pass may be meant to be added to those of the training loss
        severity = Severity.WRONG if max(counts.values()) > 1 else Severity.NOTE
        fields = run.named(counts) | {"leaf": leaf, "call": resetting_call(run, act.line)}
        yield Finding("accumulates", severity, line, one.step, act.line, "input", fields)
    if decayed:
        return
    yield from () if again or mixed else [*_from_before(run)] or [*changed(run)] or _two_losses(run, lines)
    yield from () if again else _read(run)


def _two_losses(
    run: WatchedRun, lines: dict[int, list[tuple[Act, dict[str, set[int]]]]]
) -> Iterator[Finding]:
    """Find a pass that one optimizer always uses alone, while another adds it to other passes."""
    used = {of: [set().union(*passed.values()) for _, passed in steps] for of, steps in lines.items()}
    same = {of: several[0] for of, several in used.items() if all(one == several[0] for one in several)}
    for of, more in same.items():
        single = next((other for other in same if len(same[other]) == 1 and same[other] < more), None)
        if single is None:
            continue
        alone, (act, passed) = same[single], lines[of][0]
        [line] = alone
        places = [place for place, several in passed.items() if several > alone]
        one = next(one for one in run.passes if one.line == line)
        if places:
            fields = run.named(places) | {"leaf": run.named(lines[single][0][0].places)["name"]}
            yield Finding("accumulates", Severity.NOTE, line, one.step, act.line, "two", fields)
            return


def _left_over(run: WatchedRun) -> dict[tuple[int, int], tuple[list[str], int]]:
    """Return what `find` calls mixed, where passes aren't all kept, by the steps and resets, which are.

    Since an optimizer's gradients were reset, each pass went with a step of others, before its own passes.
    """
    found: dict[tuple[int, int], tuple[list[str], int]] = {}
    passes = {one.number: one for one in run.passes}
    emptied: dict[int, int] = {}  # optimizer -> the run of its last reset
    others: dict[int, list[Act]] = {}  # optimizer -> the steps of others since then
    held = {act.of: {*act.places} for act in run.of("step")}
    for act in run.acts:
        for of, places in held.items() if act.kind in ("step", "zero") else ():
            is_own = not places.isdisjoint(act.places)
            if act.kind == "zero" and is_own:
                emptied[of], others[of] = act.run, []
            elif act.kind == "step" and not is_own:
                others.setdefault(of, []).append(act)
        between = others.pop(act.of, []) if act.kind == "step" else []
        runs = [other.run for other in between]
        if not runs or runs != [*range(emptied.get(act.of, -1) + 1, runs[-1] + 1)] or act.run <= runs[-1]:
            continue
        kept = [passes[number - 1] for number in runs if number - 1 in passes]
        reached = [one.ids() & {*act.places} for one in kept]
        if reached and all(reached):
            step = act.step if act.step >= 0 else kept[-1].step
            found.setdefault((kept[0].line, act.line), (sorted(set.union(*reached)), step))
    return found


def _before_a_loss(
    run: WatchedRun, asked: dict[int, str]
) -> dict[int, tuple[str, dict[str, int], WatchedPass, Act]]:
    """Return what `find` calls inputs, where the passes between a reset and a loss's aren't all kept."""
    found: dict[int, tuple[str, dict[str, int], WatchedPass, Act]] = {}
    passes, zeros = {one.number: one for one in run.passes}, run.of("zero")
    for act in run.of("step"):
        one = passes.get(act.run - 1)
        old = met(one) & {*act.places} if one else set[str]()
        emptied = [zero.run for zero in zeros if one and zero.run <= one.number and old & {*zero.places}]
        between = range(emptied[-1], act.run - 1) if emptied else range(0)
        kept = [passes[number] for number in between if number in passes]
        is_for_input = kept and all(each.number in asked and each.line == kept[0].line for each in kept)
        if one and is_for_input and kept[0].line != one.line and act.step >= 0:
            counts = dict.fromkeys(sorted(old), len(between))
            found.setdefault(kept[0].line, (asked[kept[0].number], counts, kept[0], act))
    return found


def _from_before(run: WatchedRun) -> Iterator[Finding]:
    """Find first passes of new optimizers that add to gradients which were there before these were made."""
    passes = {one.number: one for one in run.passes}
    for maker in run.of("optimizer"):
        act = next((act for act in run.of("step") if act.of == maker.of), None)
        one = passes.get(maker.run)
        if not act or not one or act.run <= one.number:
            continue
        if old := met(one) & {*act.places}:
            fields = run.named(old) | {"call": resetting_call(run, act.line)}
            yield Finding("accumulates", Severity.WRONG, one.line, one.step, act.line, "created", fields)
            return


def _steps(run: WatchedRun) -> Iterator[tuple[Act, dict[str, list[WatchedPass]]]]:
    """Yield each step of an optimizer, and for its leaves the passes whose gradients are in their `.grad`."""
    held: dict[str, list[WatchedPass]] = {}
    for one in run.in_order():
        if isinstance(one, WatchedPass):
            for visit in one.visits:
                if visit.node and visit.node[:1] == "l":
                    kept = held.get(visit.node, [])
                    if is_first(visit) or (kept and run.has_gap(kept[-1].step, one.step)):
                        kept = []
                    held[visit.node] = [*kept, one] if visit.after is not None else []
        elif one and one.kind == "step" and one.step >= 0:
            filled = {place: held[place] for place in one.places if held.get(place)}
            gaps = {place: run.has_gap(passes[-1].step, one.step) for place, passes in filled.items()}
            yield one, {place: passes for place, passes in filled.items() if not gaps[place]}


def _asked(run: WatchedRun) -> dict[int, str]:
    """Return the passes after which the program reads the gradient of what no optimizer holds: its name."""
    held = {place for act in (*run.of("optimizer"), *run.of("step")) for place in act.places}
    found: dict[int, str] = {}
    read = [(at, place) for at, place in run.readings if place not in held] if held else []
    reached = [(one, one.ids()) for one in run.passes] if read else []
    for at, place in read:
        before = [one for one, ids in reached if one.step < at and id_of(place) in ids]
        if before and before[-1].of == "backward":
            found.setdefault(before[-1].number, run.names.get(place, ""))
    return found


def _read(run: WatchedRun) -> Iterator[Finding]:
    """Find lines that read gradients again and again while these add up, and no optimizer uses them."""
    used = {(place, act.run - 1) for act in run.of("step") for place in act.places}  # with passes
    sums: dict[str, list[WatchedPass]] = {}  # leaf -> the passes that its gradient is the sum of
    found: dict[tuple[int, int], tuple[int, dict[str, list[WatchedPass]]]] = {}  # the lines -> step, sums
    passes = {one.step: one for one in run.passes}
    reads: dict[int, set[str]] = {}  # step -> the leaves whose gradients it reads
    for at, place in run.readings:
        if at not in passes:
            reads.setdefault(at, set()).add(place)
    for at in sorted({*passes, *reads}):
        if one := passes.get(at):
            for visit in one.visits:
                if visit.node and visit.node[:1] == "l" and visit.after is not None:
                    sums[visit.node] = [] if is_first(visit) else sums.get(visit.node, [])
                    sums[visit.node].append(one)
        for place in reads.get(at, ()):
            level = len(run.steps[at].loops)
            added = sums.get(place, [])  # within one iteration, they're meant to add up
            if len(added) > MANY and len({one.loops[:level] for one in added}) > 1:
                key = run.steps[at].line, added[-1].line
                found.setdefault(key, (at, {}))[1][place] = added  # which may grow
    for (line, computes), (step, read) in found.items():
        places = []
        for place, added in read.items():
            is_used = [(place, one.number) in used for one in added]
            since = [*takewhile(operator.not_, reversed(is_used))]
            places += [place] if len(since) >= SEVERAL else []
        if places:
            yield Finding("accumulates", Severity.WRONG, line, step, computes, "read", run.named(places))


def _of_another(
    run: WatchedRun, act: Act, passes: list[WatchedPass], turns: dict[int, set[int]]
) -> WatchedPass | None:
    """Return the first of some passes, except the last, after which only other optimizers stepped."""
    for one in passes[:-1]:
        others = turns.get(one.number, {act.of})
        if act.of in others:
            continue
        leaves = {place for step in run.of("step") if step.of in others for place in step.places}
        if leaves & one.ids() and not leaves & {*act.places}:
            return one
    return None


def _never(run: WatchedRun) -> Finding | None:
    """Find a program whose text resets no gradient, although its optimizer steps again and again."""
    passes = [one for one in run.passes if one.of == "backward"]
    times = len(passes) + sum(step.gap.runs for step in run.steps if step.gap)
    is_reset = run.of("zero") or any(RESETS.search(text) for text in run.lines.texts)
    for maker in run.of("optimizer") if times >= SEVERAL and not is_reset else ():
        for one in passes if maker.steps >= SEVERAL else ():
            if places := {*maker.places}.intersection(one.given()):
                fields = run.named(places) | {"call": resetting_call(run, 0)}
                return Finding("accumulates", Severity.WRONG, one.line, one.step, None, "", fields)
    return None


def _emptied_instead(run: WatchedRun, line: int, leaves: set[str]) -> int | None:
    """Return the line that emptied, right before a pass, only gradients that the pass doesn't reach."""
    for one in run.passes:
        zeros = [act for act in run.of("zero") if act.run == one.number and act.loops == one.loops]
        if one.line == line and zeros and not {*zeros[-1].places} & (one.ids() | leaves):
            return zeros[-1].line
    return None
