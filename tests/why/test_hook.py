"""Hooks that no backward pass calls."""

import pytest
from support.why import said

SOURCE = """import torch
from torch import nn
net = nn.Linear(4, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    y = net(torch.ones(2, 4))
    y.register_hook(lambda grad: grad)
    loss = (y if i < FIRST else net(torch.ones(2, 4))).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("first", "found"), [("0", [("wrong", "hook", 7)]), ("2", [])])
def test_a_hook_that_no_pass_calls_is_found_but_not_one_that_some_called(first, found):
    assert [one for one in said(SOURCE.replace("FIRST", first)) if one[1] == "hook"] == found
