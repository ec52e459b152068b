"""Graphs that a variable keeps although no backward pass uses them."""

from pathlib import Path

import pytest
from support.why import said, watched

from weaver.recording.limits import Limits
from weaver.why.findings import find

START = """import torch
from torch import nn
x, y = torch.randn(8, 4), torch.randn(8, 1)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    (net(x) - y).pow(2).mean().backward()
    optimizer.step()
losses, total = [], 0
for _ in range(4):
    loss = (net(x) - y).pow(2).mean()
    LINE
"""


@pytest.mark.parametrize("line", ["losses.append(loss)", "total = total + loss"])
def test_losses_of_an_evaluation_that_keep_their_graphs_are_found(line):
    assert said(START.replace("LINE", line)) == [("note", "mode_unused", 12), ("note", "growing_unused", 13)]


@pytest.mark.parametrize(
    "line", ["losses.append(loss.item())", "losses.append(loss.detach())", "total = loss", "total += loss.item()"]
)
def test_numbers_and_the_last_loss_keep_nothing(line):
    assert said(START.replace("LINE", line)) == [("note", "mode_unused", 12)]


def test_losses_that_are_summed_for_one_backward_pass_are_used():
    assert said(START.replace("LINE", "total = total + loss") + "total.backward()\n") == []


def test_losses_that_share_a_graph_and_have_a_pass_each_do_not_grow():
    source = """import torch
from torch import nn
x = torch.randn(8, 4)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    out = net(x)
    optimizer.zero_grad()
    for loss in out.pow(2).mean(0).unbind():
        loss.backward(retain_graph=True)
    optimizer.step()
"""
    assert said(source) == []


TRUNCATED = """import torch
from torch import nn
net, cell = nn.Linear(2, 1), nn.RNNCell(2, 2)
optimizer = torch.optim.SGD([*net.parameters(), *cell.parameters()], lr=0.01)
hidden, total = torch.zeros(1, 2), None
for i in range(1, 33):
    hidden = cell(torch.ones(1, 2), hidden)
    loss = net(hidden).pow(2).mean()
    loss.backward(retain_graph=True)
    total = loss if total is None else total + loss
    if i % EVERY == 0:
        optimizer.zero_grad()
        total.backward()
        hidden, total = hidden.detach(), None
"""


@pytest.mark.parametrize("every, found", [(10, False), (1000, True)])
def test_what_is_cut_off_again_after_some_iterations_does_not_grow(every, found):
    told = {name for _, name, _ in said(TRUNCATED.replace("EVERY", str(every)))}
    assert ("growing" in told) == found


FILLED = """import torch
from torch import nn
net = nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
def train(x):
    every = torch.zeros(5, 1)
    for t in range(5):
        value = net(x)
        every[t] = value
        optimizer.zero_grad()
        value.pow(2).sum().backward()
        optimizer.step()
    return every
for _ in range(3):
    train(torch.ones(2))
"""


def test_what_is_created_anew_with_each_call_holds_only_nodes_until_then_as_the_passes_free_the_rest():
    assert said(FILLED) == []


def test_an_evaluation_is_found_also_if_what_follows_was_not_watched_but_without_a_pass():
    source = """import torch
from torch import nn
net = nn.Linear(2, 1)
def evaluate():
    total = torch.zeros(1)
    for i in range(6):
        total += net(torch.ones(2)).sum()
    return total.item()
evaluate()
"""
    last = watched(Path("/program.py"), source + "for i in range(400):\n    x = torch.ones(1) * i\n", Limits(looks=60))
    assert any(step.gap for step in last.steps)
    assert [(one.name, one.case) for one in find(last)] == [("growing", "unused")]


def test_a_graph_whose_end_nobody_knows_has_not_started_over():
    source = START.split("losses, total")[0].replace("range(3)", "range(60)").replace("for _ in range(60)", "total = 0\nfor _ in range(60)")
    source = source.replace("    (net(x) - y).pow(2).mean().backward()\n", "    loss = (net(x) - y).pow(2).mean()\n    loss.backward()\n    total += loss\n")
    run = watched(Path("/program.py"), source, Limits(acts=True, nodes=60, looks=900))
    assert run.trace.nodes_hidden and run.has_gap(-1, len(run.steps))
    assert [(one.severity, one.case, one.line) for one in find(run) if one.name == "growing"] == [("wrong", "", 11)]
