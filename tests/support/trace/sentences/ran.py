"""The lines of a program as a plain run goes through them."""

import ast
import os
import sys
import threading
from contextlib import nullcontext, suppress
from functools import partial
from types import SimpleNamespace

from support.trace.warm import forked
from weaver.recording.program import Script, prepare, take_output

PARTS = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
LOOPS = ast.For | ast.While


class Statements:
    """Maps lines to statements and loops, from the program's text."""

    def __init__(self, source):
        self.nodes, self.start = [], {}
        with suppress(SyntaxError):  # it has no line that runs
            self.nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt | ast.ExceptHandler)]
        for node in self.nodes:
            body = getattr(node, "body", None)
            first = first_of(node)
            last = max(min(map(first_of, body)) - 1, first) if body else node.end_lineno
            name = self.start.get(first, node.lineno)
            self.start.update(dict.fromkeys(range(first, last + 1), name))
        loops = [node for node in self.nodes if isinstance(node, LOOPS)]
        self.loops = sorted((node.lineno, node.end_lineno) for node in loops)
        self.whiles = {node.lineno for node in loops if isinstance(node, ast.While)}
        self.short = {node.lineno for node in loops if node.body[0].lineno == node.lineno}
        self.quiet = {node.lineno for node in self.nodes if isinstance(node, ast.Try)}

    def on(self, line, *kinds):
        """Return the statements of some kinds that begin on a line."""
        return [node for node in self.nodes if isinstance(node, kinds) and self.start.get(node.lineno) == line]


def first_of(node):
    return min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])


class Ran:
    """One time that a line ran."""

    def __init__(self, index, line, depth, loops, resumed):
        self.index, self.line, self.depth, self.loops, self.resumed = index, line, depth, loops, resumed
        self.key, self.raised = (line, depth, loops), None
        self.previous = 0  # the line that ran before it in its frame


class Lines:
    """Follows a program's lines; `begin(ran, frame)` and `end(ran, frame)` are called around each.

    `entered(frame)` and `left(frame, returned)` are called around each call of its functions.
    """

    paused = 0  # while the oracle does something, which may run hooks of the program

    def __init__(self, path, source):
        self.path, self.known = path, Statements(source)
        self.count, self.ended, self.frames = 0, [], []

    def begin(self, ran, frame):
        pass

    end = begin

    def entered(self, frame):
        pass

    def left(self, frame, returned):
        pass

    @property
    def now(self):
        """The line that runs, None if none does."""
        return next((one.now for one in reversed(self.frames) if one.now), None)

    @property
    def frame(self):
        return next((one.frame for one in reversed(self.frames) if one.now), None)

    def enter(self, frame, event, argument):
        code = frame.f_code
        if code.co_filename != self.path or code.co_name in PARTS or Lines.paused:
            return None
        if not code.co_flags & 1 and code.co_name != "<module>":
            return None
        known = next((one for one in self.frames if one.frame is frame), None)
        found = getattr(frame.f_trace, "args", [known])[0]
        if found is None:
            found = SimpleNamespace(frame=frame, now=None, last=0, start=-1, at=-1, counts={}, generator=code.co_flags & 0x220)
            found.step = partial(self.step, found)
            self.entered(frame)
        self.frames.append(found)
        if found.last and found.generator:
            self.start(found, found.last, resumed=True)
        return found.step

    def step(self, found, frame, event, argument):
        if event == "line":
            self.on_line(found, frame)
        elif event == "exception" and found.now:
            found.now.raised = argument[0].__name__
        elif event == "return":
            self.finish(found)
            self.left(frame, argument)
            if found in self.frames:
                self.frames.remove(found)
        return found.step

    def on_line(self, found, frame):
        line = frame.f_lineno if frame.f_code.co_name == "<lambda>" else self.known.start.get(frame.f_lineno, frame.f_lineno)
        at, back = frame.f_lasti, frame.f_lasti <= found.at
        found.at = at
        # Python tests a short `while` again behind its body, and jumps back to that
        again = line in self.known.short and (back or frame.f_lineno in self.known.whiles)
        if not (found.now and found.now.line == line and at > found.start and not again):
            self.finish(found)
            found.start = at
            self.start(found, line)

    def start(self, found, line, resumed=False):
        before, found.last = found.last, line
        for first, last in self.known.loops:
            again = first in found.counts and first <= before <= last
            if line == first:
                found.counts[first] = found.counts[first] + 1 if again else 0
            elif not first <= line <= last:
                found.counts.pop(first, None)
        loops = tuple(pair for one in self.frames for pair in sorted(one.counts.items()))
        found.now = Ran(self.count, line, len(self.frames) - 1, loops, resumed)
        found.now.previous = before
        self.count += 1
        self.begin(found.now, found.frame)

    def finish(self, found):
        if found.now:
            self.end(found.now, found.frame)
            self.ended.append(found.now)
        found.now = None


def execute(path, source, lines, around=None):
    """Run a program as a script, its lines followed and its output in a file; return the error that ended it."""
    take_output("printed")
    main = prepare(Script(path, source))
    os.register_at_fork(after_in_child=lambda: sys.settrace(None))
    threading.settrace(lines.enter)
    error = None
    with around or nullcontext():
        sys.settrace(lines.enter)
        try:
            exec(compile(source, path, "exec", dont_inherit=True), vars(main))
        except BaseException as found:
            error = found
        finally:
            sys.settrace(None)
            threading.settrace(None)
    return error


def printed():
    """Return how many bytes the program has printed so far."""
    return os.fstat(1).st_size


class Numbers(Lines):
    """Keeps with each line the plain numbers that it put under names."""

    def __init__(self, path, source):
        super().__init__(path, source)
        self.targets = {}

    def end(self, ran, frame):
        if ran.line not in self.targets:
            parts = (part for node in self.known.on(ran.line, ast.stmt) for part in ast.walk(node))
            self.targets[ran.line] = [one.id for one in parts if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
        names = {**frame.f_globals, **frame.f_locals} if self.targets[ran.line] else {}
        ran.numbers = {name: float(names[name]) for name in self.targets[ran.line] if type(names.get(name)) in (int, float)}


def listed(path, source):
    """Return the lines of a program as they ended, but those of `try:`, where nothing happens."""

    def work(folder):
        lines = Numbers(path, source)
        execute(path, source, lines)
        return [one for one in lines.ended if one.line not in lines.known.quiet]

    return forked(work) or []


def aligned(moments, ran):
    """Return which of the lines that ran each step is: index of the step -> index in `ran`."""
    steps = {}
    for one in moments:
        if one["kind"] == "line":
            steps[one["step"]] = one["line"], one["depth"], tuple(map(tuple, one["loops"]))
    gaps = {one["step"] for one in moments if one["kind"] == "gap"}
    found, at = {}, 0
    for step, key in sorted(steps.items()):
        for index in range(at, len(ran) if step in gaps else min(at + 200, len(ran))):
            if ran[index].key == key:
                found[step], at = index, index + 1
                break
            if step not in gaps and not ran[index].resumed:
                break
    return found
