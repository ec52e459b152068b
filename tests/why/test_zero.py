"""Gradients that are 0 in every step."""

from support.why import said

ATTENTION = """import torch
from torch import nn
x = torch.randn(8, 5, 4)
score, value = nn.Linear(4, 1), nn.Linear(4, 3)
optimizer = torch.optim.SGD([*score.parameters(), *value.parameters()], lr=0.1)
for _ in range(4):
    optimizer.zero_grad()
    weights = score(x).softmax(dim=DIM)
    (weights * value(x)).sum(1).pow(2).mean().backward()
    optimizer.step()
"""


def test_a_softmax_over_a_single_entry_is_found():
    assert said(ATTENTION.replace("DIM", "-1")) == [("wrong", "zero_softmax", 8)]


def test_a_softmax_over_several_entries_is_nothing_wrong():
    assert [one for one in said(ATTENTION.replace("DIM", "1")) if "zero" in one[1]] == []
