"""A graph that an earlier pass has freed, and what carried it on."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.why import said, watched

from weaver.why.command import LIMITS
from weaver.why.finding import Severity
from weaver.why.findings import find

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


TARGETS = """import torch
from torch import nn
critic = nn.Linear(4, 1)
optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
returns = torch.zeros(4, 1)
def discount(returns, last):
    returns[-1] = last
    for at in reversed(range(3)):
        returns[at] = 1 + 0.9 * returns[at + 1]
def main():
    states = torch.randn(4, 4)
    last = critic(torch.randn(4))
    discount(returns, last)
    for _ in range(2):
        loss = (critic(states) - returns).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
main()
"""


def test_a_graph_that_went_into_a_buffer_is_told_where_it_began():
    run = watched(Path("/program.py"), TARGETS)
    [one] = [found for found in find(run) if found.severity is Severity.FAILS]
    assert (one.name, one.case, one.fields["name"], one.fields["also"]) == ("freed", "begun", "last", "12")


def test_a_state_whose_graph_is_kept_is_found_where_it_is_carried_on_not_at_the_step():
    source = """import torch
from torch import nn
rnn = nn.RNN(4, 4)
optimizer = torch.optim.SGD(rnn.parameters(), lr=0.1)
h = torch.zeros(1, 1, 4)
for _ in range(3):
    out, h = rnn(torch.randn(2, 1, 4), h)
    optimizer.zero_grad()
    out.sum().backward(retain_graph=True)
    optimizer.step()
"""
    assert said(source) == [("fails", "in_place_carried", 7)]


def test_a_pass_that_only_scales_what_an_earlier_one_freed_is_told_there():
    source = """import torch
w = torch.ones(2, requires_grad=True)
for i in range(2):
    shared = w.exp()
    one, other = shared.sum(), (shared * shared).sum()
    (one * 2).backward()
    (other * 3).backward()
"""
    assert ("fails", "freed_again", 6) in said(source)


CARRIED = """import torch
w = torch.ones(2, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
average, losses = 0.0, {}
for i in range(600):
    optimizer.zero_grad()
    loss = (w * i).pow(2).sum() * 1e-9
    losses["last"] = loss
    loss.backward()
    optimizer.step()
    if i % 300 == 0:
        size = w.pow(2).sum()
        average = average + 0.1 * (size - average)
        penalty = (size - average).pow(2) * 1e-9
        penalty.backward()
"""


def test_a_running_mean_with_a_graph_is_named_where_nobody_watched_the_pass_that_fails():
    run = watched(Path("/program.py"), CARRIED, replace(LIMITS, looks=2_000))
    [found] = [one for one in find(run) if one.severity is Severity.FAILS]
    assert (found.line, found.case, found.fields["name"], found.at) == (13, "over", "average", 15)


def test_an_error_that_the_program_catches_does_not_fail():
    source = "import torch\nw = torch.ones(1, requires_grad=True)\nwith torch.no_grad():\n    x = w * 2\n"
    caught = "try:\n    torch.autograd.grad(x, w)\nexcept RuntimeError:\n    pass\n"
    assert [one[:2] for one in said(source + caught)] == [("note", "no_gradient_start")]
    assert [one[:2] for one in said(source + "torch.autograd.grad(x, w)\n")] == [("fails", "no_gradient_start")]


BATCHES = """import torch
net = torch.nn.Linear(3, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
data = torch.randn(8, 3)
def move(coord):
    WRITE
    return coord
for epoch in range(2):
    for start in (0, 4):
        batch = data[start : start + 4]
        optimizer.zero_grad()
        move(batch).pow(2).mean().backward()
        optimizer.step()
"""


def test_a_write_to_a_view_of_the_data_is_found_where_it_puts_them_into_the_graph():
    assert ("fails", "freed_written", 6) in said(BATCHES.replace("WRITE", "coord += net.bias * net.bias"))
    assert said(BATCHES.replace("WRITE", "coord = coord + net(coord)")) == []


def test_a_memory_that_a_line_writes_into_by_its_own_name_is_carried_over():
    source = """import torch
net = torch.nn.Linear(3, 3)
memory = torch.zeros(4, 3)
for i in range(3):
    memory[i] = net(torch.ones(3))
    memory.pow(2).sum().backward()
"""
    assert [name for _, name, _ in said(source) if name.startswith("freed")] == ["freed_carried"]


UNRECORDED = """import torch
w = torch.ones(2, requires_grad=True)
def loss(x):
    out = (w * x).sum()
    log = {"out": out.detach()}
    return torch.autograd.grad(out, w)
@torch.no_grad()
def validate():
    try:
        loss(torch.ones(2))
    except RuntimeError as error:
        print(error)
loss(torch.ones(2))
validate()
"""


def test_a_pass_that_cannot_start_under_no_grad_is_not_blamed_on_another_line():
    assert said(UNRECORDED) == [("note", "no_gradient_start", 7)]


def test_a_pass_where_nothing_requires_a_gradient_says_so():
    source = "import torch\nx = torch.ones(2)\nx.sum().backward()\n"
    assert said(source) == [("fails", "no_gradient_start_nothing", 3)]
