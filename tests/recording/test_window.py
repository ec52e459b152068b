"""What of a long run is watched: whole iterations with an optimizer's step, and little of a dataset's code."""

from pathlib import Path

import pytest
from support.why import watched

from weaver.recording.limits import Limits

SOURCE = """import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
class Words(Dataset):
    def __len__(self):
        return 64
    def __getitem__(self, index):
        words = [place * index for place in range(7)]
        words.append(index)
        half = words[:4]
        return torch.tensor(words, dtype=torch.float)
net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for batch in DataLoader(Words(), batch_size=16):
    loss = net(batch).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    seen = loss.item()
"""


def test_the_first_iteration_is_watched_to_its_end_although_the_budget_is_spent():
    run = watched(Path("/program.py"), SOURCE, Limits(acts=True, looks=600))
    lines = [step.line for step in run.steps if step.loops and step.loops[0] == (14, 0) and not step.depth]
    assert lines == [14, 15, 16, 17, 18, 19]
    assert any(step.gap for step in run.steps)


def test_of_a_datasets_calls_in_one_iteration_a_few_are_watched():
    run = watched(Path("/program.py"), SOURCE, Limits(acts=True, looks=600))
    returns = [sum(step.line == 11 and step.loops[0] == (14, i) for step in run.steps) for i in range(4)]
    assert 1 < returns[0] < 16 and returns[1:] == [0, 0, 0]
    assert [step.line for step in run.steps].count(18) == 4  # every step of the optimizer


def test_in_a_short_program_every_call_is_watched():
    run = watched(Path("/program.py"), SOURCE, Limits(acts=True))
    assert not any(step.gap for step in run.steps) and [step.line for step in run.steps].count(11) == 64


@pytest.mark.parametrize(("made", "is_all"), [("layer.bias.data.zero_()", False), ("x = layer.bias * 2", True)])
def test_of_calls_that_initialize_leaves_before_the_first_pass_a_few_are_watched(made, is_all):
    source = f"""import torch
from torch import nn
def prepare(layer):
    layer.weight.data.fill_(0.1)
    {made}
layer = nn.Linear(2, 2)
[prepare(layer) for _ in range(30)]
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
for _ in range(2):
    layer(torch.ones(1, 2)).sum().backward()
    optimizer.step()
"""
    run = watched(Path("/program.py"), source, Limits(acts=True, looks=400))
    calls = [step.line for step in run.steps].count(5)
    assert calls == 30 if is_all else 5 < calls < 10


def test_a_function_through_which_gradients_flow_is_watched_however_often_it_is_called():
    source = "import torch\nw = torch.ones(2, requires_grad=True)\ndef part(x):\n    return x * w\n"
    source += "for i in range(2):\n    total = sum(part(torch.ones(2)) for _ in range(20))\n    total.sum().backward()\n"
    run = watched(Path("/program.py"), source, Limits(acts=True, looks=50_000))
    assert [step.line for step in run.steps].count(4) == 40


def test_an_iteration_that_has_begun_is_watched_to_its_end_past_the_loops_in_it():
    part = "    for p in net.parameters():\n        loss = loss + p.pow(2).sum() * 0.001\n    loss.backward()\n"
    source = SOURCE.replace("range(7)", "range(90)").replace("    loss.backward()\n", part)
    run = watched(Path("/program.py"), source.replace("8, 8", "91, 91"), Limits(acts=True, looks=900))
    lines = [step.line for step in run.steps if step.loops and step.loops[0] == (14, 0) and not step.depth]
    assert lines[-3:] == [19, 20, 21] and any(step.gap for step in run.steps)


def test_a_model_that_is_often_called_without_gradients_is_watched_where_it_is_trained():
    source = """import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)
    def forward(self, x):
        for _ in range(9):
            x = x * 1
        return self.lin(x)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
with torch.no_grad():
    for _ in range(40):
        seen = [net(torch.ones(2, 8)) for _ in range(20)]
for _ in range(4):
    loss = net(torch.ones(2, 8)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
    run = watched(Path("/program.py"), source, Limits(acts=True, looks=3000))
    lines = [step.line for step in run.steps if step.loops[:1] == ((16, 0),)]
    assert {10, 17, 19, 20} <= {*lines} and [step.line for step in run.steps].count(10) < 200


PLAYS = """import torch
from torch import nn
net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
def play(kind):
    seen = []
    for move in range(20):
        if move == kind:
            seen.append(torch.zeros(8))
        for _ in range(9):
            with torch.no_grad():
                seen.append(net(torch.ones(8)))
    return seen
def main():
    for _ in range(3):
        for game in range(4):
            games = play(game)
        for _ in range(9):
            loss = net(torch.stack(games)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
main()
"""


def test_what_trains_is_watched_although_what_came_before_it_used_up_the_budget():
    run = watched(Path("/program.py"), PLAYS, Limits(acts=True, looks=800))
    assert [one.line for one in run.passes if one.of == "backward"][:1] == [21]
    assert run.has_gap(0, run.passes[0].step)


STAGES = PLAYS.replace("def main():", '''def warm():
    for _ in range(9):
        optimizer.zero_grad()
        net(torch.ones(8)).pow(2).mean().backward()
        optimizer.step()
def main():
    warm()''').replace("range(9):\n            with", "range(40):\n            with")


def test_another_stage_is_watched_after_the_first_pass_of_its_own_line():
    run = watched(Path("/program.py"), STAGES, Limits(acts=True, looks=900))
    lines = [one.line for one in run.passes if one.of == "backward"]
    assert {17, 27} == {*lines} and run.has_gap(0, run.passes[lines.index(27)].step)


WITHIN = """import torch
from torch import nn
class Slow(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1
    @staticmethod
    def backward(ctx, gradient):
        for _ in range(9):
            part = gradient * 2
        return gradient
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(9):
    for j in range(2):
        loss = Slow.apply(net(torch.ones(2, 4))).sum()
        loss.backward()
    optimizer.step()
    optimizer.zero_grad()
"""


@pytest.mark.parametrize("looks", [100, 200, 300, 400, 500, 600, 700])
def test_what_the_engine_does_where_watching_ends_within_a_pass_is_no_later_lines(looks):
    run = watched(Path("/program.py"), WITHIN, Limits(acts=True, looks=looks))
    assert {step.line for step in run.steps if step.events} <= {9, 10, 11, 17}
