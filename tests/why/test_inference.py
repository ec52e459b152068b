"""A tensor from inference mode in training."""

import pytest
from support.why import said

SOURCE = """import torch
from torch import nn
net, head = nn.Linear(4, 4), nn.Linear(4, 1)
@torch.SWITCH()
def features(x):
    return net(x)
def loss(x):
    return (head(x) * x).sum()
x = features(torch.ones(2, 4))
loss(COPY).backward()
"""


@pytest.mark.parametrize(
    ("switch", "copy", "found"),
    [("inference_mode", "x", [("fails", "inference", 4)]), ("inference_mode", "x.clone()", []), ("no_grad", "x", [])],
)
def test_the_line_that_switches_inference_mode_on_is_named(switch, copy, found):
    told = said(SOURCE.replace("SWITCH", switch).replace("COPY", copy))
    assert [one for one in told if one[0] == "fails"] == found
