"""Gradients that a line changes by hand."""

from pathlib import Path

import pytest
from support.why import watched

from weaver.recording.limits import Limits
from weaver.why.findings import find_with_facts

SOURCE = """import torch
from torch import nn
net = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 1))
optimizer = torch.optim.OPTIMIZER(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    LINE
    optimizer.step()
"""


def told(line, optimizer="Adam"):
    source = SOURCE.replace("LINE", line).replace("OPTIMIZER", optimizer)
    found = find_with_facts(watched(Path("/program.py"), source))
    return [(one.case, one.line, one.fields["groups"]) for one in found if one.case.startswith("edited")]


@pytest.mark.parametrize(
    ("line", "optimizer", "case"),
    [
        ("net[0].weight.grad[0] = 0", "Adam", "edited_zero"),
        ("net[0].weight.grad[0] = 0", "SGD", "edited"),
        ("net[0].weight.grad.mul_(0.5)", "Adam", "edited"),
        ("net[0].weight.grad.data[:1] *= 0.5", "Adam", "edited"),
    ],
)
def test_a_line_that_changes_gradients_between_backward_and_step_is_told(line, optimizer, case):
    assert told(line, optimizer) == [(case, 8, "`net.0.weight`")]


@pytest.mark.parametrize(("line", "is_least"), [("for p in net.parameters(): p.grad.mul_(0.5)", True), ("net[0].weight.grad.mul_(0.5)", False)])
def test_where_passes_werent_watched_a_line_may_change_more_gradients_than_it_names(line, is_least):
    source = SOURCE.replace("LINE", line).replace("OPTIMIZER", "Adam")
    found = find_with_facts(watched(Path("/program.py"), source.replace("range(3)", "range(40)"), Limits(acts=True, steps=60)))
    [edited] = [one for one in found if one.case == "edited"]
    assert (edited.line, edited.is_least) == (8, is_least)


@pytest.mark.parametrize(
    "line", ["nn.utils.clip_grad_norm_(net.parameters(), 0.01)", "print(net[0].weight.grad.sum())", "grads = [p.grad for p in net.parameters()]"]
)
def test_clipping_and_reading_change_nothing_by_hand(line):
    assert told(line) == []


PASSED_ON = """import torch
from torch import nn
net = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 1))
for p in net[0].parameters():
    p.requires_grad = False
optimizer = torch.optim.SGD(net[1].parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    for p in net.parameters(): size = p.grad
    optimizer.step()
"""


def test_a_loop_whose_variable_goes_on_to_another_gradient_changes_none():
    found = find_with_facts(watched(Path("/program.py"), PASSED_ON))
    assert [one.line for one in found if one.case.startswith("edited")] == []
