"""What was kept of a parameter and changes with it."""

import pytest
from support.why import said

START = """import copy
import torch
from torch import nn
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 4)
class Penalty:
    def __init__(self, net):
        self.means = {}
        for name, p in net.named_parameters():
            self.means[name] = KEEP
    def of(self, net):
        total = 0
        for name, p in net.named_parameters():
            total = total + (p - self.means[name]).pow(2).sum()
        return total
penalty = Penalty(net)
for _ in range(3):
    optimizer.zero_grad()
    loss = net(x).pow(2).mean() + penalty.of(net)
    loss.backward()
    optimizer.step()
"""
BEST = """import copy
import torch
from torch import nn
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 4)
for epoch in range(3):
    optimizer.zero_grad()
    net(x).pow(2).mean().backward()
    if epoch == 0:
        best = KEEP
    optimizer.step()
    LINE
USE
"""


def found(source):
    return [(severity, line) for severity, name, line in said(source) if name == "alias"]


@pytest.mark.parametrize("keep", ["p.data", "p.detach()"])
def test_means_that_follow_the_parameters_are_found(keep):
    assert found(START.replace("KEEP", keep)) == [("wrong", 11)]


def test_a_state_dict_that_is_loaded_later_is_found():
    assert found(BEST.replace("KEEP", "net.state_dict()").replace("LINE", "pass").replace("USE", "net.load_state_dict(best)")) == [("wrong", 11)]


def test_copies_are_nothing_wrong():
    assert found(START.replace("KEEP", "p.data.clone()")) == []
    copied = BEST.replace("KEEP", "copy.deepcopy(net.state_dict())").replace("LINE", "pass")
    assert found(copied.replace("USE", "net.load_state_dict(best)")) == []


def test_what_is_kept_anew_before_it_is_read_is_nothing_wrong():
    source = BEST.replace("KEEP", "0").replace("LINE", "kept = {'w': net.weight.data}\n    print(kept['w'].shape)")
    assert found(source.replace("USE", "pass")) == []
