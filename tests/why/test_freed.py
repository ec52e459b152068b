"""A graph that an earlier pass has freed, and what carried it on."""

import pytest
from support.why import said

START = """import torch
from torch import nn
rnn = nn.RNN(4, 4)
h = torch.zeros(1, 1, 4)
def repackaged(h):
    return h.detach()
for _ in range(3):
    LINE
    out, h = rnn(torch.randn(2, 1, 4), h)
    out.sum().backward()
"""


@pytest.mark.parametrize("line", ["repackaged(h)", "h.detach()"])
def test_a_detached_state_that_is_not_stored_is_found(line):
    assert said(START.replace("LINE", line)) == [("fails", "freed_dropped", 8)]


def test_a_state_that_nobody_detaches_is_found_where_the_next_graph_takes_it():
    assert said(START.replace("LINE", "pass")) == [("fails", "freed_carried", 9)]


def test_a_state_that_is_detached_is_nothing_wrong():
    assert said(START.replace("LINE", "h = repackaged(h)")) == []
