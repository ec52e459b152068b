"""What's said of iterators that nothing comes from any more."""

import pytest
from support.why import said

START = """import torch

net, data = torch.nn.Linear(2, 1), [torch.ones(1, 2)]
"""
AGAIN = """params = net.parameters()
optimizer = torch.optim.SGD(params, lr=0.1)
for x in data:
    net(x).sum().backward()
    for p in params:
        p.grad.clamp_(-1, 1)
    optimizer.step()
"""
LOOP = """optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
pairs = zip(data, data)
for epoch in range(3):
    for x, y in pairs:
        optimizer.zero_grad()
        (net(x) - y).pow(2).sum().backward()
        optimizer.step()
"""
CALLED = """def made(params):
    return torch.optim.SGD(params, lr=0.1)
params = net.parameters()
optimizer = made(params)
for x in data:
    net(x).sum().backward()
    optimizer.step()
"""
EARLIER = """class Freeze:
    def __init__(self, net):
        self.held = iter_of(net)
        self.states = [one.requires_grad for one in self.held]
    def __enter__(self):
        for one in self.held:
            one.requires_grad = False
    def __exit__(self, *_):
        pass
from itertools import chain
def iter_of(net):
    return MADE(chain(net.parameters()))
with Freeze(net):
    net(data[0]).sum().backward()
"""


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (AGAIN, [("wrong", "used_up", 8)]),
        (AGAIN.replace("net.parameters()", "list(net.parameters())"), []),
        (LOOP, [("wrong", "used_up_loop", 7)]),
        (LOOP.replace("zip(data, data)", "list(zip(data, data))"), []),
        (CALLED, []),
        (EARLIER.replace("MADE", ""), [("wrong", "used_up_earlier", 9)]),
        (EARLIER.replace("MADE", "list"), []),
    ],
)
def test_a_line_that_reads_what_an_earlier_one_used_up_is_named(source, found):
    assert [one for one in said(START + source) if "used_up" in one[1]] == found


ASKED = """import torch
from torch import nn
net = nn.Linear(2, 1)
weights = net.parameters()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = net(torch.ones(2)).sum()
    if ASKS:
        weights = [weights]
    for one in weights:
        loss = loss + one.norm()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize("asks", ["isinstance(weights, nn.Parameter)", "weights is None", "type(weights) is list"])
def test_a_line_that_only_asks_what_an_iterator_is_gets_nothing_from_it_anyway(asks):
    assert said(ASKED.replace("ASKS", asks)) == [("wrong", "used_up_again", 10)]


def test_a_loop_over_what_is_made_anew_in_each_call_is_nothing_wrong():
    source = """import torch
scores = torch.ones(5, 2)
def total(scores):
    steps = enumerate(scores)
    _, sum = next(steps)
    for idx, one in steps:
        sum = sum + one
    return sum
for _ in range(3):
    w = torch.ones(2, requires_grad=True)
    (w * total(scores)).sum().backward()
"""
    assert [one for one in said(source) if one[1].startswith("used_up")] == []
