"""Biases that a batch normalization cancels."""

from pathlib import Path

import pytest
from support.why import watched

from weaver.why.findings import find_with_facts

SOURCE = """import torch
from torch import nn
net = nn.Sequential(nn.Linear(4, 3), NORM, nn.ReLU(), nn.Linear(3, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("norm", "found"),
    [
        ("nn.BatchNorm1d(3)", [("normed", 7, "`net.0.bias`")]),
        ("nn.BatchNorm1d(3).eval()", []),
        ("nn.Sequential(nn.Tanh(), nn.BatchNorm1d(3))", []),
        ("nn.LayerNorm(3)", []),
        ("nn.Sequential(nn.Unflatten(1, (1, 3)), nn.BatchNorm1d(1), nn.Flatten())", []),
    ],
)
def test_a_bias_before_a_batch_normalization_in_training_is_told(norm, found):
    facts = find_with_facts(watched(Path("/program.py"), SOURCE.replace("NORM", norm)))
    assert [(one.case, one.line, one.fields["groups"]) for one in facts if one.case == "normed"] == found


def test_a_bias_is_told_once_and_not_at_each_line_with_a_pass():
    again = "    net(torch.randn(8, 4)).pow(2).mean().backward()\n" * 2
    source = SOURCE.replace("NORM", "nn.BatchNorm1d(3)").replace(again[: len(again) // 2], again)
    facts = find_with_facts(watched(Path("/program.py"), source))
    assert [one.line for one in facts if one.case == "normed"] == [7]
