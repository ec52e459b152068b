"""What's said of trainings that weren't watched whole: nothing that what's missing would contradict."""

from pathlib import Path

import pytest
from support.why import watched

from weaver.recording.limits import Limits
from weaver.why.findings import find
from weaver.why.report import FindingsReport

FEW = Limits(acts=True, steps=40, looks=1500)  # the first iterations, and ever rarer ones, and few of these
HEAD = """import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8, 4), torch.randn(8, 1)
for i in range(100):
"""
STEPS = {
    "clips between backward() and step()": """
    opt.zero_grad()
    (net(x) - y).pow(2).mean().backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
""",
    "evaluates now and then": """
    if i % 10 == 5:
        net.eval()
        with torch.no_grad():
            error = (net(x) - y).abs().mean()
        net.train()
    opt.zero_grad()
    (net(nn.functional.dropout(x, 0.1, net.training)) - y).pow(2).mean().backward()
    opt.step()
""",
    "adds a penalty that a loop sums up": """
    penalty = 0
    for _ in range(4):
        penalty = penalty + net.weight.pow(2).sum()
    loss = (net(x) - y).pow(2).mean() + 0.01 * penalty
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    "steps only after many passes": """
    (net(x) - y).pow(2).mean().backward()
    if i % 32 == 31:
        opt.step()
        opt.zero_grad()
""",
    "uses a kept graph again": """
    opt.zero_grad()
    loss = (net(x) - y).pow(2).mean()
    loss.backward(retain_graph=True)
    loss.backward()
    opt.step()
""",
}
LATE = """
    opt.zero_grad()
    (net(x) - y).pow(2).mean().backward()
    opt.step()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
"""
ROOT = """
    opt.zero_grad()
    (net(x) - {target}).abs().sqrt().sum().backward()
    opt.step()
"""
EXPERTS = """import torch
from torch import nn
torch.manual_seed(0)
experts = nn.ModuleList(nn.Linear(4, 1) for _ in range(2))
opt = torch.optim.SGD(experts.parameters(), lr=0.1)
x = torch.randn(8, 4)
for i in range(100):
    opt.zero_grad()
    experts[int(50 < i < 60)](x).pow(2).mean().backward()
    opt.step()
"""


def seen(source, limits=FEW):
    run = watched(Path("/program.py"), source, limits)
    assert any(step.gap for step in run.steps)
    return run, find(run)


@pytest.mark.parametrize("does", STEPS)
def test_nothing_is_found_in_a_long_training_that(does):
    """Its iterations are whole, and right."""
    assert seen(HEAD + STEPS[does])[1] == []


def test_clipping_too_late_is_found_in_a_long_training():
    """The act, the step before it and all in between were watched."""
    [one] = seen(HEAD + LATE)[1]
    assert (one.name, one.case) == ("clip", "late")


def test_the_first_nan_is_not_claimed_where_one_was_there_before():
    """It came while nobody watched; what's seen is what it left behind."""
    run, [one] = seen(HEAD + ROOT.format(target="(net(x).detach() if i == 41 else y)"))
    assert one.case == "first" and "nan" in str(run.steps[one.step].tensors["net.weight"].value)
    text, do = FindingsReport(run, [one]).sentences(one)
    assert one.line == run.passes[0].line
    assert text == "The loss first became nan on run 43 of this line, and that run wasn't watched."
    assert f"--from {one.line}@42" in do


def test_the_first_nan_is_claimed_where_all_before_it_was_watched():
    """Nothing is missing in front of it."""
    _, [one] = seen(HEAD + ROOT.format(target="(net(x).detach() if i == 1 else y)"))
    assert (one.case, one.line) == ("backward", 10)


def test_an_expert_that_was_used_unwatched_is_not_said_to_get_no_gradient():
    """Its version tells that a step used one."""
    assert seen(EXPERTS)[1] == []
    _, [one] = seen(EXPERTS.replace("50 < i < 60", "0"))
    assert one.case == "unused"


def test_an_infinite_ctc_loss_that_nobody_watched_is_found_where_it_was_computed():
    source = """import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loss = nn.CTCLoss()
for i in range(100):
    labels = torch.ones(1, 3 + 3 * (i == 41), dtype=torch.long)
    found = loss(net(torch.randn(8, 1, 4)).log_softmax(2), labels, [8], [labels.shape[1]])
    opt.zero_grad()
    found.backward()
    opt.step()
"""
    _, [one] = seen(source)
    assert (one.name, one.case, one.line) == ("nan", "ctc", 11)


def test_a_freed_graph_that_nobody_watched_is_found_with_what_may_have_carried_it():
    source = """import torch
from torch import nn
class Filter(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Linear(2, 2)
        self.x = torch.zeros(1, 2)
    def forward(self, z):
        self.x = self.gain(self.x + z)
        return self.x
kf = Filter()
opt = torch.optim.SGD(kf.parameters(), lr=0.01)
for i in range(100):
    if i < 41:
        kf.x = torch.zeros(1, 2)
    opt.zero_grad()
    kf(torch.ones(1, 2)).pow(2).sum().backward()
    opt.step()
"""
    _, found = seen(source)
    assert [(one.name, one.case, one.line, one.fields["groups"]) for one in found] == [("freed", "kept", 17, "`kf.x`")]


def test_a_write_that_nobody_watched_is_sought_where_the_tensor_was_written_to():
    source = """import torch
w = torch.ones(1, requires_grad=True)
state = torch.zeros(2)
def step(i):
    state.add_(1)
    return (w * state).sum()
total = 0
for i in range(200):
    total = total + step(i)
total.backward()
"""
    found = find(watched(Path("/program.py"), source, FEW))
    assert [(one.name, one.case, one.line) for one in found if one.name == "in_place"] == [("in_place", "elsewhere", 5)]


MEANS = """import torch
w = torch.ones(3, requires_grad=True)
count = torch.tensor([[2.0], [SECOND]])
optimizer = torch.optim.SGD([w], lr=0.1)
for _ in range(3):
    sums = torch.stack([w * 2, w * SECOND])
    mean = sums / count
    optimizer.zero_grad()
    mean.sum().backward()
    optimizer.step()
"""


def test_a_division_by_zero_is_named_where_it_makes_the_first_nan():
    [one] = find(watched(Path("/program.py"), MEANS.replace("SECOND", "0.0")))
    assert (one.name, one.case, one.line) == ("nan", "divided", 7)
    assert find(watched(Path("/program.py"), MEANS.replace("SECOND", "1.0"))) == []
