"""Frozen parameters that an optimizer still changes."""

import pytest
from support.why import said

SOURCE = """import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, KEPT)
x, y = torch.randn(5, 3), torch.randn(5, 1)
for epoch in range(6):
    if epoch == 3:
        net[0].requires_grad_(False)
    loss = (net(x) - y).pow(2).mean()
    optimizer.zero_grad(set_to_none=EMPTY)
    loss.backward()
    optimizer.step()
"""
FOUND = ("wrong", "drift", 9)


@pytest.mark.parametrize(
    ("kept", "empty", "is_found"),
    [
        ("weight_decay=0.1", "False", True),
        ("momentum=0.9", "False", True),
        ("momentum=0.9", "True", False),  # the gradient is None, and step() passes over it
        ("momentum=0.0", "False", False),  # it's 0, and nothing else moves the parameter
    ],
)
def test_frozen_parameters_are_found_where_a_step_changes_them(kept, empty, is_found):
    told = said(SOURCE.replace("KEPT", kept).replace("EMPTY", empty))
    assert (FOUND in told) is is_found


def test_what_is_frozen_only_for_a_time_is_found_once():
    again = "    net[0].requires_grad_(epoch % 4 < 2)\n"
    source = SOURCE.replace("    if epoch == 3:\n        net[0].requires_grad_(False)\n", again).replace("range(6)", "range(9)")
    told = said(source.replace("KEPT", "momentum=0.9").replace("EMPTY", "False"))
    assert told == [("wrong", "drift", 8)]


DECAYED = """import torch
from torch import nn
net = nn.Linear(2, 2)
net.weight.register_hook(lambda grad: grad * 0)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, weight_decay=DECAY)
for _ in range(4):
    optimizer.zero_grad()
    net(torch.ones(4, 2)).pow(2).mean().backward()
    optimizer.step()
"""


def test_weight_decay_that_changes_what_has_gradients_of_zero_is_good_to_know():
    assert ("note", "drift_zero", 9) in said(DECAYED.replace("DECAY", "0.1"))
    assert [one for one in said(DECAYED.replace("DECAY", "0")) if "drift" in one[1]] == []


PHASES = """import torch
from torch import nn
nets = nn.Linear(2, 2), nn.Linear(2, 2)
optimizers = [torch.optim.Adam(net.parameters()) for net in nets]
for _ in range(4):
    for net, optimizer in zip(nets, optimizers):
        optimizer.zero_grad()
        net.requires_grad_(True)
        nets[1](nets[0](torch.ones(3, 2))).pow(2).mean().backward()
        net.requires_grad_(False)
        optimizer.step()
"""


def test_what_is_frozen_between_its_pass_and_its_step_is_changed_by_its_own_gradient():
    assert said(PHASES) == []
