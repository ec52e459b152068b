"""A gradient is read that's None."""

import pytest
from support.why import said

SOURCE = """import torch
from torch import nn
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.ones(8, 4)MADE
y = net(x)
y.mean().backward()
READ
optimizer.step()
"""


@pytest.mark.parametrize(
    ("made", "read", "found"),
    [
        ("", "print(x.grad)", [("note", "asked_plain", 8)]),
        ("", "print(y.grad)", [("note", "asked_intermediate", 8)]),
        (".requires_grad_()", "print(x.grad)", []),
        ("", "print(net.weight.grad)", []),
        (".requires_grad_()", "x = x - x.grad", []),
    ],
)
def test_a_gradient_that_is_none_as_the_tensor_has_none_is_found_where_it_is_read(made, read, found):
    assert said(SOURCE.replace("MADE", made).replace("READ", read)) == found
