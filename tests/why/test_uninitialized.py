"""Parameters of memory that's only reserved."""

import pytest
from support.why import said

SOURCE = """import torch
from torch import nn
START = [1.0, 2.0, 3.0, 4.0]
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(MADE)
        FILL
    def forward(self, x):
        return x * self.scale
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    net(torch.ones(2, 4)).sum().backward()
    optimizer.step()
"""


def told(made, fill="pass"):
    return [one for one in said(SOURCE.replace("MADE", made).replace("FILL", fill)) if one[1] == "uninitialized"]


@pytest.mark.parametrize("made", ["torch.Tensor(4)", "torch.empty(4)", "torch.FloatTensor(1, 4)"])
def test_reserved_memory_to_which_nothing_writes_is_found(made):
    assert told(made) == [("wrong", "uninitialized", 7)]


@pytest.mark.parametrize(
    ("made", "fill"),
    [
        ("torch.empty(4)", "nn.init.normal_(self.scale)"),
        ("torch.Tensor(4)", "self.scale.data.fill_(1.5)"),
        ("torch.Tensor([1.0, 2.0, 3.0, 4.0])", "pass"),
        ("torch.empty(4).normal_()", "pass"),
        ("torch.Tensor(START)", "pass"),
        ("torch.zeros(4)", "pass"),
    ],
)
def test_what_is_filled_is_nothing_wrong(made, fill):
    assert told(made, fill) == []
