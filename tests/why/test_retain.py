"""Graphs that are kept longer than their values are right."""

from support.why import said

SOURCE = """import torch
from torch import nn
users, items = nn.Embedding(4, 3), nn.Embedding(4, 3)
optimizer = torch.optim.Adam([*users.parameters(), *items.parameters()])
for epoch in range(2):
    ONCE
    for batch in range(3):
        AGAIN
        loss = score[batch].exp()
        optimizer.zero_grad()
        loss.backward(RETAIN)
        optimizer.step()
"""
SCORE = "score = users.weight.mean(1) + items.weight.mean(1)"


def test_a_graph_that_outlives_a_step_is_found_at_the_pass_that_goes_through_it_again():
    source = SOURCE.replace("ONCE", SCORE).replace("AGAIN", "pass").replace("RETAIN", "retain_graph=True")
    assert ("wrong", "retain_stale", 11) in said(source)
    assert said(SOURCE.replace("ONCE", "pass").replace("AGAIN", SCORE).replace("RETAIN", "")) == []


GAN = """import torch
from torch import nn
one, two = nn.Linear(4, 4), nn.Linear(4, 1)
first, second = (torch.optim.SGD(net.parameters(), lr=0.1) for net in (one, two))
for _ in range(3):
    hidden = one(torch.ones(2, 4))
    second.zero_grad()
    two(hidden).sum().backward(retain_graph=True)
    second.step()
    first.zero_grad()
    hidden.pow(2).sum().backward()
    first.step()
"""


def test_a_graph_whose_own_parameters_no_step_has_changed_is_nothing_wrong():
    assert not [one for one in said(GAN) if one[1] == "retain_stale"]


def test_a_stale_graph_whose_gradients_no_step_uses_is_nothing_wrong():
    source = SOURCE.replace("ONCE", SCORE).replace("AGAIN", "pass").replace("RETAIN", "retain_graph=True")
    unused = source.replace("optimizer.step()", "optimizer.zero_grad()\n        users.weight.sum().backward()\n        optimizer.step()")
    assert not [one for one in said(unused) if one[1] == "retain_stale"]
