"""A softmax before a loss that takes one: found where it's so, and nowhere else."""

import pytest
from support.why import said

START = """import torch
from torch import nn
net = nn.Linear(4, 3)
x, y = torch.randn(8, 4), torch.randint(3, (8,))
"""


def test_a_softmax_before_cross_entropy_is_found():
    source = START + "p = net(x).softmax(1)\nloss = nn.functional.cross_entropy(p, y)\nloss.backward()\n"
    assert said(source) == [("wrong", "softmax", 5)]


@pytest.mark.parametrize(
    "loss",
    [
        "loss = nn.functional.cross_entropy(net(x), y)",
        "p = net(x).softmax(1)\nloss = nn.functional.nll_loss(p.log(), y)",
        "loss = nn.functional.cross_entropy(net(x), net(x).softmax(1).detach())",
    ],
)
def test_one_softmax_is_nothing_wrong(loss):
    assert said(f"{START}{loss}\nloss.backward()\n") == []
