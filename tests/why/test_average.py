"""A copy of a model that follows its parameters, and perhaps its buffers."""

from pathlib import Path

import pytest
from support.why import said, watched

from weaver.why.findings import find

SOURCE = """import copy
import torch
from torch import nn
net = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
slow = copy.deepcopy(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    optimizer.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    optimizer.step()
    with torch.no_grad():
        for mine, other in zip(slow.WHAT, net.WHAT):
            mine.copy_(other)
"""


def test_a_copy_whose_buffers_nobody_updates_is_good_to_know():
    source = SOURCE.replace("WHAT", "parameters()")
    [found] = [one for one in find(watched(Path("/program.py"), source)) if one.name == "average"]
    assert (found.line, found.fields) == (13, {"name": "slow.1.running_mean", "leaf": "net.1.running_mean"})


@pytest.mark.parametrize("instead", [("nn.BatchNorm1d(4)", "nn.LayerNorm(4)"), ("WHAT", "state_dict().values()")], ids=["none", "copied"])
def test_a_copy_without_statistics_or_with_all_of_them_is_left_alone(instead):
    source = SOURCE.replace(*instead).replace("WHAT", "parameters()")
    assert [one for one in said(source) if one[1] == "average"] == []
