"""Leaves that are made anew each time, and whose gradients nothing uses."""

import pytest
from support.why import said

SOURCE = """import torch
from torch import nn
net, head = nn.Linear(4, 4), nn.Linear(4, 1)
optimizer = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)
for _ in range(3):
    out = net(torch.ones(2, 4))
    scale = SCALE
    loss = head(out * scale).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    AFTER
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("scale", "after", "found"),
    [
        ("torch.from_numpy(out.detach().numpy() ** 2).requires_grad_()", "pass", [("note", "aside", 7)]),
        ("torch.tensor(out.tolist(), requires_grad=True)", "print(scale.grad)", []),
        ("out.pow(2)", "pass", []),
        ("torch.tensor(out.tolist())", "pass", []),
    ],
)
def test_a_new_leaf_whose_gradient_nothing_uses_is_found(scale, after, found):
    assert [one for one in said(SOURCE.replace("SCALE", scale).replace("AFTER", after)) if one[1] == "aside"] == found
