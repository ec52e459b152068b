"""Writes that autograd doesn't notice, between what saves a tensor and the pass that uses it."""

import pytest
from support.why import said

MASKED = """import torch
from torch import nn
torch.manual_seed(0)
class Masked(nn.Linear):
    def forward(self, x):
        LINES
net = nn.Sequential(Masked(4, 4), nn.Tanh(), Masked(4, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    y = net(torch.randn(8, 4, requires_grad=True))
    optimizer.zero_grad()
    y.pow(2).mean().backward()
    optimizer.step()
"""


def test_a_write_before_the_tensor_is_saved_in_the_same_call_is_nothing_wrong():
    assert said(MASKED.replace("LINES", "self.weight.data.tril_()\n        return super().forward(x)")) == []


def test_one_after_it_is_found_where_it_happens():
    lines = "y = super().forward(x)\n        self.weight.data.mul_(0.5)\n        return y"
    assert said(MASKED.replace("LINES", lines)) == [("wrong", "in_place_silent", 7)]


FILLED = """import torch
x = torch.ones(3, requires_grad=True)
wealth = torch.ones(3, 5)
for t in range(4):
    wealth[:, t + 1] = wealth[:, t] * x
wealth.sum().backward()
"""


def test_a_write_to_a_row_of_a_tensor_whose_rows_are_needed_is_named():
    assert said(FILLED) == [("fails", "in_place", 5)]


NORMED = """import torch
w = torch.eye(2, requires_grad=True)
u = torch.ones(2)
loss = 0
for _ in range(2):
    WRITE
    loss = loss + u.dot(w.mv(u))
loss.backward()
"""


def test_a_constant_that_gets_another_storage_between_two_uses_is_found():
    assert said(NORMED.replace("WRITE", "u.data = w.detach().mv(u) * 2")) == [("note", "in_place_silent", 6)]
    assert said(NORMED.replace("WRITE", "u = w.detach().mv(u) * 2")) == []


def test_the_line_that_moves_a_constant_is_named_and_not_what_calls_it():
    function = "def move(u):\n    u.data = w.detach().mv(u) * 2\n\n\nfor _"
    source = NORMED.replace("WRITE", "move(u)").replace("for _", function)
    assert said(source) == [("note", "in_place_silent", 6)]


LOOKUP = """import torch
from torch import nn
words = nn.Embedding(6, 3, max_norm=NORM)
head = nn.Linear(3, 3)
optimizer = torch.optim.SGD([*words.parameters(), *head.parameters()], lr=0.1)
for _ in range(2):
    hidden = head(words(torch.arange(3)))
    scores = hidden @ WEIGHT.t()
    near = words(torch.arange(3, 6))
    optimizer.zero_grad()
    (scores.pow(2).mean() + near.sum()).backward()
    optimizer.step()
"""


def test_a_lookup_with_max_norm_is_told_as_what_writes_to_the_weight():
    renormed = LOOKUP.replace("NORM", "0.1")
    assert said(renormed.replace("WEIGHT", "words.weight")) == [("fails", "in_place_renormed", 9)]
    assert said(renormed.replace("WEIGHT", "words.weight.clone()")) == []
    assert said(LOOKUP.replace("NORM", "None").replace("WEIGHT", "words.weight")) == []


CLONED = """import torch
from torch import nn
net = nn.Linear(4, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    alpha = net(torch.ones(2, 4)).exp()
    kept = alpha.clone()
    WRITE
    optimizer.zero_grad()
    (kept.sum() + alpha.mean()).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("write", "found"),
    [
        ("kept.data[:, 0] = 1", [("note", "in_place_unrecorded", 8)]),
        ("kept.data.masked_fill_(torch.eye(3)[:2].bool(), 1)", [("note", "in_place_unrecorded", 8)]),
        ("kept[:, 0] = 1", []),
        ("kept.data.masked_fill_(torch.zeros(2, 3).bool(), 1)", []),  # which writes nothing
    ],
)
def test_a_write_that_the_graph_does_not_know_of_is_good_to_know(write, found):
    assert [one for one in said(CLONED.replace("WRITE", write)) if one[1].startswith("in_place")] == found
