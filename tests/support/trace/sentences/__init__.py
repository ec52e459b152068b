"""Decides each sentence that the view of a trace says, by plain runs of the program that share nothing with it.

A first run lists the lines as they ran, so that each step is known to be one of them. A second stops before
and after the lines that something is said of, evaluates the names in the sentence as Python would, and looks.
`PYTHONPATH=tests python -m support.trace.sentences` does so for every program of the site, each with its
alternatives, and for the real ones.
"""

import json
import re
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace

import torch

from support.project import ROOT
from support.trace.sentences.of_engine import judged_events
from support.trace.sentences.of_lines import NAME, Case, codes
from support.trace.sentences.outside import Engine, Watch, is_about, tensors, unheard, values
from support.trace.sentences.ran import Lines, aligned, execute, listed
from support.trace.warm import forked, traced
from weaver.execution.snippets.source import names, read
from weaver.player.acts import clipped, emptied, modes, updated
from weaver.player.words import ENGLISH
from weaver.recording import compact
from weaver.recording.limits import Limits

REAL = ROOT / "tests/cases/real"
TOLD = Path(__file__).with_name("told.js").read_text("utf-8")


class Judge(Lines):
    """Looks before and after each line that something is said of, and decides it; `verdicts` are the result."""

    def __init__(self, path, source, moments, indices):
        super().__init__(path, source)
        said, names, self.writes = defaultdict(list), defaultdict(set), defaultdict(list)
        for one in moments:
            if one["kind"] == "line" and one["step"] in indices:
                said[indices[one["step"]]] += [sentence for way in one["said"] for sentence in way]
            for key, given in one["said"][0] if one["kind"] == "event" else ():
                names[one["run"]] |= {codes(given["to"])[-1]} if "to" in given else set()
                names[one["run"]] |= {codes(given["name"])[-1]} if key.startswith("zeroed") else set()
                if key == "failed_written" and NAME.fullmatch(codes(given["name"])[-1]):
                    self.writes[given["line"], codes(given["name"])[-1]] = []
        self.watch = Watch(self)
        self.engine = Engine(self, names)
        self.cases = {index: Case(sentences, self.watch, self.engine) for index, sentences in said.items()}
        self.verdicts, self.opened = [], {}

    def begin(self, ran, frame):
        with unheard():
            ran.before = {name: self.facts(name, frame) for line, name in self.writes if line == ran.line}
            if case := self.cases.get(ran.index):
                case.begin(frame)

    def end(self, ran, frame):
        with unheard():
            for name, then in ran.before.items():
                self.writes[ran.line, name].append((then, self.facts(name, frame)))
            if case := self.cases.pop(ran.index, None):
                self.verdicts += case.end(ran, frame)
        del ran.before

    def facts(self, name, frame):
        return Case([], self.watch, self.engine).facts(name, frame)

    def entered(self, frame):
        with unheard():
            code = frame.f_code
            given = tensors([frame.f_locals[name] for name in code.co_varnames[: code.co_argcount]])
            for one in given if self.now else ():
                self.watch.note_nodes(one, self.now.index)  # of what torch called
            if self.engine.open:
                grads = [values(one.grad) for one in given if one.is_leaf]
                call = SimpleNamespace(name=code.co_name, received=[values(one) for one in given], grads=grads, returned=[])
                self.engine.open[-1].calls.append(call)
                self.opened[frame] = call

    def left(self, frame, returned):
        if call := self.opened.pop(frame, None):
            with unheard():
                call.returned = [values(one) for one in tensors(returned)] or [None]

    def run(self, path, source):
        """Run the program; return the error that ended it."""
        real = torch.autograd.Function.apply
        torch.autograd.Function.apply = classmethod(lambda function, *args, **kwargs: self.watch.apply(function, real, args, kwargs))
        torch.autograd._engine_run_backward = self.engine
        return execute(path, source, self, self.watch)


def verdicts(path, source, moments):
    """Return each sentence's verdict (see `Case.end`), the steps that are no lines of a plain run, and its error."""
    ran = listed(path, source)
    steps = aligned(moments, ran)
    lost = [one["line"] for one in moments if one["kind"] == "line" and one["step"] not in steps]
    indices = {step: ran[index].index for step, index in steps.items()}

    def work(folder):
        judge = Judge(path, source, moments, indices)
        error = judge.run(path, source)
        found = [*judge.verdicts, *judged_events(moments, judge.engine, judge.writes)]
        callers = [run.caller.index for run in judge.engine.runs if run.caller]
        return found, callers, error and type(error).__name__

    found, callers, error = forked(work) or ([], [], "no result")
    numbers = [] if "weakref" in source else judged_numbers(moments, ran, steps)  # it counts what we hold as well
    return [*found, *judged_gaps(moments, ran, steps, callers), *numbers], lost, error


def judged_numbers(moments, ran, steps):
    """Yield what `Case.end` does, of numbers under plain names, by the run in which no tensor is looked at."""
    for one in moments:
        said = one["said"][0] if one["kind"] == "line" and one["step"] in steps else ()
        for key, given in said:
            pairs = [text.split(" = ") for text in codes(given["numbers"])] if key == "set" else ()
            known = ran[steps[one["step"]]].numbers if pairs else {}
            for name, number in pairs:
                if name in known:
                    yield one["line"], key, f"{name} = {number}", is_about(float(number), known[name])


def judged_gaps(moments, ran, steps, callers):
    """Yield what `Case.end` does, of the steps that are said to be left out, and of the engine's runs in them."""
    for one in moments:
        if one["kind"] != "gap" or one["step"] not in steps:
            continue
        [(key, given), (_, why), *more] = one["said"][0]
        last = max((index for step, index in steps.items() if step < one["step"]), default=-1)
        left, ends = ran[last + 1 : steps[one["step"]]], [*ran[last : last + 1], ran[steps[one["step"]]]]
        is_right = sum(not one.resumed for one in left) <= given["n"] <= len(left) and why["recorded"] <= given["n"]
        if key == "gap_loop":
            passed = iterations(left, given["line"]) - iterations(ends, given["line"])
            is_right &= len(passed) == given["times"]
        yield one["line"], key, str(given), is_right
        for told, passes in more:
            if told == "gap_passes":
                yield one["line"], told, str(passes), passes["n"] == sum(at in {now.index for now in left} for at in callers)


def iterations(ran, line):
    return {one.loops[: number + 1] for one in ran for number, (loop, _) in enumerate(one.loops) if loop == line}


def told(page, trace, source):
    """Return what the view says of a trace, in a page that has its script: see `told.js`."""
    data = {**json.loads(compact.write(trace)), "modes": modes(trace), "updates": updated(trace)}
    data |= {"resets": emptied(trace), "clips": clipped(trace)}
    return page.evaluate(TOLD, {"trace": data, "lines": source.split("\n"), "words": ENGLISH})


def programs():
    """Return the real programs: the path and the source of each file that is run."""
    files = [path for path in sorted(REAL.rglob("*.py")) if path.parent == REAL or path.stem in ("main", "train")]
    return [(str(path), path.read_text("utf-8")) for path in files]


def snippets():
    """Return the path and the source of every snippet, and of each of its alternatives.

    Those that compile something are left out: torch compiles otherwise what a mode listens to. So is one whose
    own mode runs the same three lines hundreds of times: after a gap, nothing tells which of them a step is.
    """
    files = (read(ROOT / f"snippets/{name}.py", name) for name in names(ROOT / "snippets") if name != "cost/rows_one_by_one")
    found = [(f"{one.path}[{one.label}]" if one.label else str(one.path), one.source) for file in files for one in file.variants]
    return [one for one in found if "torch.compile" not in one[1]]


def problems(page, path, source, counts):
    """Yield what is false about a program, and add up the verdicts by kind in `counts`."""
    trace = traced(path, source, Limits(acts=True))[0]
    if trace is None:
        yield "left no trace"
        return
    found, lost, error = verdicts(path, source, told(page, trace, source))
    counts.update((key, verdict) for _, key, _, verdict in found)
    yield from (f"{line}: {key} {said}" for line, key, said, verdict in found if verdict is False)
    yield from (f"{line}: a step that no line of a plain run is" for line in lost)
    if error != (trace.error and re.split(r"[:.]", trace.error.partition(":")[0])[-1]):
        yield f"a plain run ended with {error}, and the watched one with {trace.error}"
