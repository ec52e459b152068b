"""An optimizer that holds other tensors than those that are trained."""

from support.why import said

START = """import torch
from torch import nn
x = torch.randn(8, 4)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
rows = []
for i in range(100):
    rows.append(i)
LOAD
for _ in range(4):
    optimizer.zero_grad()
    net(x).pow(2).mean().backward()
    optimizer.step()
"""


def test_a_parameter_that_another_tensor_replaces_is_found_although_some_lines_were_not_watched():
    found = said(START.replace("LOAD", "net.weight = nn.Parameter(torch.zeros(1, 4))"))
    assert ("wrong", "optimizer_replaced", 5) in found


def test_a_parameter_whose_values_are_replaced_is_nothing_wrong():
    assert said(START.replace("LOAD", "net.weight.data.copy_(torch.zeros(1, 4))")) == []
