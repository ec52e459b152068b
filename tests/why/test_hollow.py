"""Backward passes that begin at a leaf, and steps that change nothing."""

import pytest
from support.why import said

SOURCE = """import torch
from torch import nn
net, other = nn.Linear(4, 1), nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=RATE)
second = torch.optim.SGD(other.parameters(), lr=0.1)
for _ in range(4):
    optimizer.zero_grad()
    second.zero_grad()
    x = torch.ones(8, 4)
    loss = LOSS
    loss.backward()
    other(x).mean().backward()
    optimizer.step()
    second.step()
    AFTER
"""


def told(loss, after="pass", rate="0.1"):
    source = SOURCE.replace("LOSS", loss).replace("AFTER", after).replace("RATE", rate)
    return [one for one in said(source) if one[1].startswith("hollow")]


def test_a_pass_that_begins_at_a_leaf_is_found_where_nothing_says_what_cut_it_off():
    assert told("(net(x) > 0).float().mean().requires_grad_()") == [("wrong", "hollow", 11)]


def test_a_pass_after_recording_was_switched_off_for_good_is_found():
    found = told("net(x).mean().requires_grad_()", "torch.set_grad_enabled(False)")
    assert ("wrong", "hollow_off", 11) in found


def test_a_learning_rate_of_0_in_all_steps_is_found():
    assert told("net(x).mean()", rate="0.0") == [("wrong", "hollow_rate", 4)]


@pytest.mark.parametrize("after", ["pass", "optimizer.param_groups[0]['lr'] = 0.0"])
def test_a_loss_of_the_model_is_nothing_wrong_nor_a_rate_that_becomes_0(after):
    assert told("net(x).mean()", after) == []


def test_steps_of_an_optimizer_whose_gradients_are_always_none_are_found():
    source = """import torch
from torch import nn
net, extra = nn.Linear(4, 1), nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
second = torch.optim.SGD(extra.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    y = net(torch.ones(8, 4))
    z = extra(torch.ones(8, 4))
    y.mean().backward()
    optimizer.step()
    second.step()
"""
    assert ("wrong", "hollow_step", 12) in said(source)
