"""Parameters that were made from a tensor without a copy."""

import pytest
from support.why import said

SOURCE = """import torch
from torch import nn
torch.manual_seed(0)
x = torch.randn(12, 2)
class Net(nn.Module):
    def __init__(self, points):
        super().__init__()
        self.points = nn.Parameter(points)
    def forward(self, x):
        return torch.cdist(x, self.points).sum(-1)
net = Net(MADE)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    net(DATA).pow(2).mean().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("made", "data", "found"),
    [
        ("x[:4]", "x", [("note", "borrowed", 8)]),
        ("x", "x", [("note", "borrowed", 8)]),
        ("x[:4].clone()", "x", []),
        ("x[:4]", "torch.ones(12, 2)", [("note", "borrowed", 8)]),  # a dataset may have the rest
        ("x", "torch.ones(12, 2)", []),  # it was only there to make the parameter
        ("torch.randn(4, 2)", "x", []),
    ],
)
def test_a_tensor_that_changes_with_the_parameter_made_from_it_is_found(made, data, found):
    assert said(SOURCE.replace("MADE", made).replace("DATA", data)) == found
