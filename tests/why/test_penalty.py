"""A gradient penalty that's a constant."""

import pytest
from support.why import said

START = """import torch
from torch import nn
net, other = nn.Linear(4, 1), nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 4)
def penalty(x):
    x = x.clone().requires_grad_()
    (g,) = torch.autograd.grad(net(x).pow(2).sum(), x, GRAPH)
    norm = g.norm(dim=1)
    return (norm - 1).pow(2).mean()
for _ in range(3):
    optimizer.zero_grad()
    extra = penalty(x)
    loss = net(x).mean()
    LOSS
    loss.backward()
    optimizer.step()
"""


LOSSES = ["loss = loss + 10 * extra", "loss += extra", "loss = net(x).pow(2).mean() - extra"]


@pytest.mark.parametrize("loss", [*LOSSES, "(5 * extra + 0 * net(x)[0]).sum().backward()", "loss = (net(x).pow(2) + extra).mean()"])
def test_a_penalty_without_a_graph_is_found_at_the_call_of_grad(loss):
    source = START.replace("GRAPH", "retain_graph=True").replace("LOSS", loss)
    assert ("wrong", "penalty", 8) in said(source)


@pytest.mark.parametrize(
    "graph, loss",
    [
        ("create_graph=True", "loss = loss + 10 * extra"),
        ("retain_graph=True", "loss = loss + extra * net(x).pow(2).mean()"),  # a weight
        ("retain_graph=True", "print(extra)"),
        ("retain_graph=True", "total = extra + 1"),
    ],
)
def test_a_penalty_with_a_graph_or_outside_the_loss_is_nothing_wrong(graph, loss):
    assert [one for one in said(START.replace("GRAPH", graph).replace("LOSS", loss)) if one[1] == "penalty"] == []


def test_a_step_of_first_order_maml_is_nothing_wrong():
    source = """import torch
w = torch.tensor(2.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    (g,) = torch.autograd.grad((w - 1) ** 2, w)
    fast = w - 0.1 * g
    loss = (fast - 3) ** 2
    loss.backward()
    optimizer.step()
"""
    assert [one for one in said(source) if one[1] == "penalty"] == []
