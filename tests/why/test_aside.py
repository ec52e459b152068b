"""New leaves in each iteration whose gradients nothing uses."""

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
        ("torch.randn(2, 4, requires_grad=True)", "pass", []),
        ("torch.zeros_like(out).requires_grad_()", "pass", []),
    ],
)
def test_a_new_leaf_whose_gradient_nothing_uses_is_found(scale, after, found):
    assert [one for one in said(SOURCE.replace("SCALE", scale).replace("AFTER", after)) if one[1] == "aside"] == found


def test_what_is_cut_off_first_and_requires_a_gradient_later_is_found():
    source = SOURCE.replace("scale = SCALE", "scale = out.detach()\n    scale.requires_grad = True")
    assert [one for one in said(source.replace("AFTER", "pass")) if one[1] == "aside"] == [("note", "aside", 7)]
