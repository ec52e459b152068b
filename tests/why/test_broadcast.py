"""(N, 1) against (N,), also inside longer expressions."""

import pytest
from support.why import said

START = """import torch
from torch import nn
net = nn.Linear(4, 1)
class Agent: discount = 0.9
agent = Agent()
reward, going = torch.randn(8), torch.ones(8)
column = reward[:, None]
with torch.no_grad():
    value = net(torch.randn(8, 4))
"""


@pytest.mark.parametrize(
    "line, case",
    [
        ("target = reward + going * 0.9 * value", "broadcast_named"),
        ("target = reward + going * agent.discount * value", "broadcast_named"),
        ("loss = ((reward + 0.9 * reward) - value).pow(2).mean()", "broadcast_named"),
        ("loss = nn.functional.mse_loss(net(torch.randn(8, 4)), reward)", "broadcast"),
    ],
)
def test_a_column_meets_a_row(line, case):
    assert said(f"{START}{line}\n") == [("wrong", case, 10)]


@pytest.mark.parametrize(
    "line",
    [
        "target = column + agent.discount * value",
        "target = (reward + going * agent.discount).unsqueeze(1) + value",
        "target = reward[0] * value",
        "loss = (column[:, 0] - value.squeeze(-1)).pow(2).mean()",
    ],
)
def test_shapes_that_match_are_nothing_wrong(line):
    assert said(f"{START}{line}\n") == []
