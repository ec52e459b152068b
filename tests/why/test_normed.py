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
        ("nn.Sequential(nn.Unflatten(1, (3, 1)), nn.MaxPool1d(1), nn.BatchNorm1d(3), nn.Flatten())", []),  # reshaped
        ("POOLED", [("normed", 7, "`net.0.bias`")]),
        ("nn.Sequential(nn.Unflatten(1, (1, 3)), nn.BatchNorm1d(1), nn.Flatten())", []),
    ],
)
def test_a_bias_before_a_batch_normalization_in_training_is_told(norm, found):
    source = SOURCE.replace("nn.Linear(4, 3), NORM", "nn.Conv2d(1, 3, (1, 3)), nn.MaxPool2d((1, 2)), nn.BatchNorm2d(3), nn.Flatten()")
    source = source.replace("randn(8, 4)", "randn(8, 1, 1, 4)") if norm == "POOLED" else SOURCE.replace("NORM", norm)
    facts = find_with_facts(watched(Path("/program.py"), source))
    assert [(one.case, one.line, one.fields["groups"]) for one in facts if one.case == "normed"] == found


def test_a_bias_is_told_once_and_not_at_each_line_with_a_pass():
    again = "    net(torch.randn(8, 4)).pow(2).mean().backward()\n" * 2
    source = SOURCE.replace("NORM", "nn.BatchNorm1d(3)").replace(again[: len(again) // 2], again)
    facts = find_with_facts(watched(Path("/program.py"), source))
    assert [one.line for one in facts if one.case == "normed"] == [7]


ATTENTION = """import torch
from torch import nn
torch.manual_seed(0)
query, key, value, norm = nn.Linear(8, 8), nn.Linear(8, 8, bias=BIAS), nn.Linear(8, 8), nn.LayerNorm(8)
parts = nn.ModuleList([query, key, value, norm])
optimizer = torch.optim.Adam(parts.parameters(), lr=0.01)
for _ in range(TIMES):
    x = torch.randn(4, 5, 8)
    weights = (query(x) @ key(x).transpose(1, 2)).softmax(-1)
    optimizer.zero_grad()
    norm(weights @ value(x)).pow(3).mean().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("times", "bias", "found"), [(3, True, [(11, "`key.bias`")]), (1, True, []), (3, False, [])])
def test_a_bias_whose_gradient_is_rounding_error_in_each_pass_is_told(times, bias, found):
    source = ATTENTION.replace("TIMES", str(times)).replace("BIAS", str(bias))
    facts = find_with_facts(watched(Path("/program.py"), source))
    assert [(one.line, one.fields["groups"]) for one in facts if one.case == "rounded"] == found
