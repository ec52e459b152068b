"""Graphs that a variable keeps although no backward pass uses them."""

import pytest
from support.why import said

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
    assert said(START.replace("LINE", line)) == [("note", "growing_unused", 13)]


@pytest.mark.parametrize(
    "line", ["losses.append(loss.item())", "losses.append(loss.detach())", "total = loss", "total += loss.item()"]
)
def test_numbers_and_the_last_loss_keep_nothing(line):
    assert said(START.replace("LINE", line)) == []


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
