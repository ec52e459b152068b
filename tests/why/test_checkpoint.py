"""A reentrant checkpoint without an input that requires a gradient."""

import pytest
from support.why import said

START = """import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
first, body, head = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 1)
first.requires_grad_(False)
optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
for _ in range(3):
    x = first(torch.randn(8, 4))
    LINE
    loss = head(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize("work", ["body", "body.forward"])
def test_it_is_found_where_the_checkpoint_is_called(work):
    line = f"x = checkpoint({work}, x, use_reentrant=True)"
    assert said(START.replace("LINE", line)) == [("wrong", "no_gradient_checkpoint", 9)]


@pytest.mark.parametrize("line", ["checkpoint(body, x, use_reentrant=False)", "checkpoint(body, x.requires_grad_(), use_reentrant=True)"])
def test_a_checkpoint_that_passes_gradients_on_is_nothing_wrong(line):
    assert said(START.replace("LINE", f"x = {line}")) == []


def test_one_that_works_on_a_functions_closure_is_found_although_its_parameters_had_gradients_before():
    source = """import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
first, parts, head = nn.Linear(4, 4), [nn.Linear(4, 4)], nn.Linear(4, 1)
def running(parts):
    def run(x):
        return parts[0](x)
    return run
optimizer = torch.optim.SGD([*first.parameters(), *parts[0].parameters(), *head.parameters()], lr=0.1)
for epoch in range(6):
    first.requires_grad_(epoch < 3)
    x = checkpoint(running(parts), first(torch.randn(8, 4)), use_reentrant=True)
    optimizer.zero_grad()
    head(x).pow(2).mean().backward()
    optimizer.step()
"""
    assert said(source) == [("wrong", "no_gradient_checkpoint", 12)]
    assert said(source.replace("epoch < 3", "True")) == []


DROPPED = """import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
net = nn.Sequential(nn.Linear(4, 4), LAYER)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    out = checkpoint(net, torch.ones(2, 4), use_reentrant=False, preserve_rng_state=STATE)
    optimizer.zero_grad()
    out.sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("layer", "state", "found"),
    [("nn.Dropout()", "False", [("note", "redrawn", 7)]), ("nn.Dropout()", "True", []), ("nn.Tanh()", "False", [])],
)
def test_a_dropout_that_is_computed_again_needs_the_same_random_numbers(layer, state, found):
    told = said(DROPPED.replace("LAYER", layer).replace("STATE", state))
    assert [one for one in told if one[1] == "redrawn"] == found


BOXED = """import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
cell, head = nn.Linear(3, 3), nn.Linear(3, 1)
optimizer = torch.optim.SGD([*cell.parameters(), *head.parameters()], lr=0.1)
def step(x, memory):
    state = torch.tanh(cell(x) + memory["state"])
    return state, {"state": state * 2}
for _ in range(3):
    x, memory = torch.ones(2, 3, requires_grad=True), {"state": torch.zeros(2, 3)}
    for _ in range(2):
        out, memory = checkpoint(step, x, memory, use_reentrant=REENTRANT)
    optimizer.zero_grad()
    head(out).mean().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("reentrant", "found"), [("True", [("note", "boxed", 12)]), ("False", [])])
def test_what_a_reentrant_checkpoint_returns_in_a_dict_has_no_graph(reentrant, found):
    assert [one for one in said(BOXED.replace("REENTRANT", reentrant)) if one[1] == "boxed"] == found
