"""A second derivative that adds up all columns of the first."""

from pathlib import Path

import pytest
from support.why import watched

from weaver.why.findings import find

SOURCE = """import torch
from torch import nn
net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    x = torch.rand(5, 2, requires_grad=True)
    u = net(x)
    du, = torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)
    ddu, = torch.autograd.grad(SECOND, create_graph=True)
    optimizer.zero_grad()
    ddu.pow(2).mean().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("second", "found"),
    [
        ("du, x, torch.ones_like(du)", [(9, {"name": "du", "n": "2"})]),
        ("du[:, :1], x, torch.ones(5, 1)", []),
        ("du[:, 0].sum(), x", []),
        ("du, x, torch.rand(5, 2)", []),  # a product with the Hessian
    ],
)
def test_a_second_derivative_that_adds_up_all_columns_is_found(second, found):
    run = watched(Path("/program.py"), SOURCE.replace("SECOND", second))
    assert [(one.line, one.fields) for one in find(run) if one.name == "columns"] == found
