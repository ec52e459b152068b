"""What a run loses that's too long: iterations and calls, and the first iteration of the training last."""

from dataclasses import replace

import pytest
from support.trace.warm import traced

from weaver.player.shorten import shorten
from weaver.recording.limits import Limits
from weaver.recording.model import Step
from weaver.recording.repeated import repeated
from weaver.recording.thinning import thinned

TRAINS = """import torch
def prepare():
    found = []
    for k in range(9):
        found.append(torch.ones(1) + k)
    return found
def forward(x):
    y = w * x
    return y.sum()
w = torch.ones(1, requires_grad=True)
data = prepare()
for x in data:
    w.grad = None
    loss = forward(x)
    loss.backward()
print(w.grad)
"""
IN_LOOP = [12, 13, 8, 9, 14, 15]  # the lines of an iteration, as they end


def steps_of(source, **limits):
    return traced("program.py", source, Limits(**limits))[0].steps


def kept(steps, most, **more):
    return [steps[at] for at in thinned(steps, [1] * len(steps), most, **more)]


def iterations(steps, line=12):
    """Return the lines that are kept of each iteration of the loop on a line."""
    found = {}
    for step in steps:
        if step.loops and step.loops[0][0] == line:
            found.setdefault(step.loops[0][1], []).append(step.line)
    return found


def test_what_has_nothing_to_do_with_gradients_and_comes_again_and_again_goes_first():
    steps = steps_of(TRAINS)
    found = kept(steps, len(steps) - 10)
    assert set(iterations(found)) == set(iterations(steps))
    assert {0, 1} < set(iterations(found, 4)) < set(iterations(steps, 4))


KINDS = """import torch
a, b = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
for w in (a, b):
    for i in range(20):
        loss = w * i
        loss.backward()
"""


def test_an_iteration_with_each_kind_of_pass_stays():
    steps = steps_of(KINDS)
    passes = {(step.loops[0][1], event.node) for step in kept(steps, 24) for event in step.events if event.kind == "visit" and event.node[0] == "l"}
    assert len(passes) == 2


def test_iterations_are_left_out_whole_and_from_the_middle():
    steps = steps_of(TRAINS)
    found = iterations(kept(steps, len(steps) - 24))
    whole = [iteration for iteration, lines in found.items() if lines == IN_LOOP]
    assert whole[0] == 0 and whole[-1] == 8 and 3 < len(whole) < 9
    gone = sorted({*range(9)} - {*whole})
    assert gone == [*range(gone[0], gone[-1] + 1)]


def test_of_iterations_that_went_the_outer_lines_stay_where_there_is_room():
    steps = steps_of(TRAINS)
    found = iterations(kept(steps, len(steps) - 24))
    assert [12, 13, 14, 15] in found.values()
    places = thinned(steps, [1] * len(steps), len(steps) - 24)
    assert {steps[at].line for at, is_brief in places.items() if is_brief} == {12, 13, 14, 15}


def test_then_calls_are_left_out_whole_and_the_first_iteration_with_a_pass_stays():
    steps = steps_of(TRAINS)
    for most in (8, 10, 14):
        found = kept(steps, most)
        assert iterations(found)[0] == IN_LOOP and len(found) <= most
        assert not {5, 6} & {step.line for step in found} or 3 in {step.line for step in found}
        assert found[-1] is steps[-1]
    assert 11 in {step.line for step in kept(steps, 14)} and 5 not in {step.line for step in kept(steps, 14)}


def test_an_iteration_without_a_pass_has_no_such_right():
    steps = [replace(step, events=[]) for step in steps_of(TRAINS)]
    assert IN_LOOP not in iterations(kept(steps, 8)).values()


def test_the_iteration_of_a_step_that_is_asked_for_stays():
    steps = steps_of(TRAINS)
    at = next(at for at, step in enumerate(steps) if step.loops == ((12, 4),) and step.line == 15)
    found = kept(steps, 20, seen=[at])
    assert iterations(found)[4] == iterations(found)[0] == IN_LOOP and len(found) <= 20


def test_a_first_iteration_that_is_too_long_loses_what_is_inside_of_it():
    steps = steps_of(TRAINS)
    found = kept(steps, 4)
    assert 0 < len(found) <= 4 and found[-1] is steps[-1]


def test_a_program_without_loops_and_calls_loses_what_is_far_from_its_ends():
    steps = [Step(line) for line in range(1, 31)]
    assert [step.line for step in kept(steps, 6)] == [1, 2, 3, 28, 29, 30]


def test_what_costs_most_goes():
    steps = steps_of(TRAINS)
    costs = [100 if step.loops and step.loops[0] == (12, 3) else 1 for step in steps]
    found = [steps[at] for at in thinned(steps, costs, sum(costs) - 300)]
    assert 3 not in iterations(found) and iterations(found)[0] == IN_LOOP


def test_a_recording_with_too_many_steps_keeps_the_first_iteration_and_counts_what_was_recorded():
    steps = steps_of(TRAINS, steps=20)
    assert iterations(steps)[0] == IN_LOOP and len(steps) <= 25
    assert len(steps) + sum(step.gap.recorded for step in steps if step.gap) == len(steps_of(TRAINS))
    unwatched = [step.gap for step in steps_of(TRAINS, looks=20) if step.gap]
    assert unwatched and not any(gap.recorded for gap in unwatched)


def test_a_gap_names_a_loop_only_if_what_is_around_it_is_in_one_run_of_it():
    source = "import torch\ndef f():\n  for i in range(4):\n    x = torch.ones(1)\nf()\nf()\n"
    trace = traced("program.py", source)[0]
    places = [at for at, step in enumerate(trace.steps) if step.line == 4]
    last = len(trace.steps) - 1

    def gap(first, then):
        left = [at for at in range(last + 1) if places[first] < at < places[then]]
        less = shorten(trace, [at for at in range(last + 1) if at not in left])
        [found] = [step.gap for step in less.steps if step.gap]
        return found.line, found.iterations

    assert gap(0, 3) == (3, 2) and gap(4, 7) == (3, 2)
    assert gap(0, 7) == gap(2, 5) == (None, 0)


def test_iterations_within_a_large_one_that_went_come_back_as_long_as_there_is_room():
    source = """import torch
w = torch.ones(1, requires_grad=True)
for epoch in range(5):
    for i in range(6):
        (w * i).backward()
        w.grad = None
"""
    steps = steps_of(source)
    found = kept(steps, len(steps) - 4)
    passes = [step.loops for step in found if step.line == 5]
    assert len(found) > len(steps) - 8 and len(passes) == 29
    assert {loops[0][1] for loops in passes} == {0, 1, 2, 3, 4}


def test_an_iteration_with_nothing_but_zeros_stays_less_than_one_in_which_most_leaves_have_a_gradient():
    source = """import torch
from torch import nn
net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
nn.init.zeros_(net[4].weight)
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(9):
    loss = (net(torch.ones(1, 2)) - 1).square().sum()
    sgd.zero_grad()
    loss.backward()
    sgd.step()
"""
    steps = steps_of(source)
    whole = iterations(steps, 6)[1]
    few, more = (iterations(kept(steps, most), 6) for most in (10, len(steps) - 10))
    assert few[1] == whole and few.get(0) != whole
    assert more[0] == more[1] == whole


LATE = """import torch
w = torch.ones(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for i in range(30):
    loss = (w * i).sum()
    loss.backward()
    if i % 10 == 9:
        optimizer.step()
        optimizer.zero_grad()
"""


def test_the_first_update_stays_also_if_the_pass_before_it_was_not_watched():
    steps = [one for one in steps_of(LATE) if not one.loops or not 2 < one.loops[0][1] < 10 or one.line > 7]
    assert [step.line for step in kept(steps, 12) if step.loops and step.loops[0][1] == 9] == [8, 9]


def test_a_call_of_a_few_steps_stays_as_a_gap_takes_room_as_well():
    function = "def double(x):\n    x = x + 0\n    x = x * 1\nLINES    return x * 2\n"
    short, long = (function.replace("LINES", lines) + "double(torch.ones(1))\n" * 5 for lines in ("", "    x = x - 0\n"))
    assert repeated(steps_of(LATE + short), ()) == set()
    assert len(repeated(steps_of(LATE + long), ())) == 3 * 4


def test_of_calls_that_one_line_makes_again_and_again_the_first_ones_stay():
    function = "def item(i):\n    x = torch.ones(1)\n    return x + i\n"
    source = LATE + function + "items = list(map(item, range(20)))\n"
    assert len(repeated(steps_of(source), ())) == 18 * 2


@pytest.mark.parametrize(("line", "left"), [("bias.data.zero_()", 3 * 4), ("bias.requires_grad = False", 0)])
def test_calls_that_initialize_leaves_on_the_same_lines_before_the_first_pass_go(line, left):
    made = "def prepare():\n    layer = torch.nn.Linear(1, 1)\n    layer.weight.data.fill_(1)\n"
    made += f"    layer.{line}\n    return layer\n" + "".join(f"l{i} = prepare()\n" for i in range(5))
    assert len(repeated(steps_of(f"import torch\n{made}" + LATE.removeprefix("import torch\n")), ())) == left
    assert repeated(steps_of(LATE + made), ()) == set()


def test_a_line_that_changes_what_requires_grad_stays_where_iterations_only_repeat_others():
    source = LATE + "def fisher():\n    found = w * 2\n    return found * 3\nfor i in range(9):\n    loss = fisher()\n"
    steps = steps_of(source)
    found = {step.line for step in kept(steps, 20)}
    assert {11, 12, 14} <= found


def test_a_step_that_called_the_engine_often_loses_its_nodes_rather_than_what_is_around_it():
    steps = steps_of("import torch\nw = torch.ones(2, requires_grad=True)\nx = (w * 2).exp()\nparts = [torch.autograd.grad(x[i], w, retain_graph=True) for i in (0, 1)]\nprint(w)\n")
    costs = [100 if one.events else 1 for one in steps]
    assert thinned(steps, costs, 20, light=[min(cost, 9) for cost in costs]) == {0: False, 1: False, 2: False, 3: True, 4: False}


def test_a_pass_like_one_before_loses_its_nodes_before_steps_go():
    steps = steps_of(TRAINS)
    costs, light = ([size if one.events else 1 for one in steps] for size in (20, 4))
    found = thinned(steps, costs, sum(costs) - 60, light=light)
    brief = [steps[at].loops[0][1] for at, is_brief in found.items() if is_brief]
    assert {*found} == {*range(len(steps))} - repeated(steps, ()) and 0 not in brief and len(brief) >= 4


JOINED = """import torch
def joined(parts):
    whole = torch.cat(parts)
    size = whole.numel()
    return whole
w = torch.ones(2, requires_grad=True)
a = w * 2
b = a * 3
c = joined(torch.autograd.grad(b.sum(), [w]))
d = c * 2
e = d * 3
"""


def test_the_line_that_called_the_engine_stays_with_what_the_engine_did_before_a_call():
    steps = steps_of(JOINED)
    [at] = [at for at, step in enumerate(steps) if step.events]
    assert (steps[at].line, steps[at].depth) == (3, 1)
    for most in range(1, 9):
        lines = [step.line for step in kept(steps, most, seen=[at])]
        assert 9 in lines or 3 not in lines
