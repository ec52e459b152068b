"""A state that's detached between any two steps that one backward pass goes through."""

from pathlib import Path

import pytest
from support.why import said, watched

from weaver.why.findings import find

SOURCE = """import torch
from torch import nn
cell, memory, head = nn.GRUCell(2, 3), nn.GRUCell(2, 3), nn.Linear(3, 1)
optimizer = torch.optim.SGD([*cell.parameters(), *memory.parameters(), *head.parameters()], lr=0.1)
def advance(x, h):
    out = cell(x, h)
    return out, out.detach()
x, y = torch.randn(4, 6, 2), torch.randn(4, 1)
for epoch in range(3):
    h = m = torch.zeros(4, 3)
    loss = 0
    for t in range(6):
        STEP
        loss = loss + (head(out + m) - y).pow(2).mean()
        AFTER
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def findings(step: str, after: str = "pass") -> list[tuple[str, str, int]]:
    return [one for one in said(SOURCE.replace("STEP", step).replace("AFTER", after)) if one[1] == "recurrence"]


@pytest.mark.parametrize(
    "step, after, line",
    [
        ("h = out = cell(x[:, t], h.detach())", "pass", 13),
        ("h = out = cell(x[:, t], h)", "h = h.detach()", 15),
        ("out, h = advance(x[:, t], h)", "pass", 7),
    ],
    ids=["as an argument", "after the loss", "by a function"],
)
def test_a_state_that_is_detached_at_every_step_is_good_to_know(step, after, line):
    assert findings(step, after) == [("note", "recurrence", line)]


def test_it_says_how_often_one_backward_pass_meets_the_cut():
    run = watched(Path("/program.py"), SOURCE.replace("STEP", "h = out = cell(x[:, t], h.detach())").replace("AFTER", "pass"))
    [found] = [one for one in find(run) if one.name == "recurrence"]
    assert found.fields == {"name": "h", "n": "5"}


@pytest.mark.parametrize(
    "step, after",
    [
        ("h = out = cell(x[:, t], h)", "pass"),
        ("h = out = cell(x[:, t], h)", "h = h.detach() if t == 2 else h"),
        ("m = memory(x[:, t], m); h = out = h.detach() + cell(x[:, t], m)", "pass"),
        ("out = cell(x[:, t], h); out = out + out.detach()", "pass"),
    ],
    ids=["not at all", "once in a while", "another state is carried", "within a step"],
)
def test_steps_that_are_joined_or_that_hand_nothing_on_are_left_alone(step, after):
    assert findings(step, after) == []
