"""A tensor that the result wasn't computed from, although autograd.grad() is asked for it."""

import pytest
from support.why import said

SOURCE = """import torch
from torch import nn
style, paint = nn.Linear(2, 2), nn.Linear(2, 2)
z = torch.randn(3, 2)
def lengths(w, image):
    total = image.sum()
    return torch.autograd.grad(total, w, create_graph=True)[0]
w = style(z)
image = paint(MADE)
found = lengths(style(z), image) if CALLS else lengths(w, image)
"""


@pytest.mark.parametrize(("made", "calls", "line"), [("w", "True", 10), ("style(z)", "False", 8)])
def test_the_line_that_made_it_is_named(made, calls, line):
    source = SOURCE.replace("MADE", made).replace("CALLS", calls)
    assert [one for one in said(source) if one[0] == "fails"] == [("fails", "unused_input", line)]


def test_a_tensor_that_the_result_came_from_is_nothing_wrong():
    assert said(SOURCE.replace("MADE", "w").replace("CALLS", "False")) == []


def test_of_a_list_of_parameters_those_that_nothing_uses_are_named_with_the_line_that_lists_them():
    source = """import torch
from torch import nn
net = nn.ModuleDict({"policy": nn.Linear(2, 2), "value": nn.Linear(2, 1)})
params = LISTED
loss = net["policy"](torch.ones(1, 2)).sum()
for _ in range(2):
    grads = torch.autograd.grad(loss, params, retain_graph=True)
"""
    told = said(source.replace("LISTED", "list(net.parameters())"))
    assert [one for one in told if one[0] == "fails"] == [("fails", "unused_input_leaf", 4)]
    assert said(source.replace("LISTED", "list(net['policy'].parameters())")) == []
