"""A second name that was meant to keep a tensor as it was, and a write by the first."""

import pytest
from support.why import said

SOURCE = """import torch
from torch import nn
net, head = nn.Linear(4, 4), nn.Linear(4, 4)
mask = torch.tensor([True, False, False, True])
optimizer = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)
def hide(x):
    x[:, mask] = 0.0
    return x
def loss_of(x):
    features = net(x)
    NAME = features MORE
    out = WRITE
    return (head(out) - READ).pow(2).mean()
for _ in range(3):
    loss = loss_of(torch.randn(8, 4))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("name", "more", "write", "read", "is_found"),
    [
        ("unmasked", "", "hide(features)", "unmasked", True),
        ("identity", "", "features.mul_(0.5)", "identity", True),
        ("unmasked", ".clone()", "hide(features)", "unmasked", False),
        ("unmasked", "* 1", "hide(features)", "unmasked", False),
        ("unmasked", "", "hide(features.clone())", "unmasked", False),
        ("unmasked", "", "hide(features)", "0.5", False),  # nothing reads it
        ("other", "", "hide(features)", "other", False),  # just another name
    ],
)
def test_a_name_for_what_was_there_before_is_found_where_another_name_writes_to_it(name, more, write, read, is_found):
    source = SOURCE.replace("NAME", name).replace("MORE", more).replace("WRITE", write).replace("READ", read)
    assert [one for one in said(source) if one[1] == "kept"] == [("wrong", "kept", 12)] * is_found
