"""Gradients that a worker's parameters lend to a shared model's, as in A3C."""

import pytest
from support.why import said

SOURCE = """import torch
from torch import nn
torch.manual_seed(0)
shared, worker = nn.Linear(2, 1), nn.Linear(2, 1)
optimizer = torch.optim.SGD(shared.parameters(), lr=0.1)
for _ in range(4):
    worker.load_state_dict(shared.state_dict())
    loss = worker(torch.ones(4, 2)).pow(2).mean()
    RESET
    loss.backward()
    for mine, theirs in zip(worker.parameters(), shared.parameters()):
        if theirs.grad is None:
            theirs._grad = mine.grad
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("reset", "found"),
    [
        ("optimizer.zero_grad()", ["accumulates_lent"]),
        ("optimizer.zero_grad(); worker.zero_grad()", []),
        ("optimizer.zero_grad(set_to_none=False)", []),
    ],
)
def test_a_reset_that_does_not_reach_the_worker_is_found(reset, found):
    named = [name for _, name, _ in said(SOURCE.replace("RESET", reset)) if name.startswith("accumulates")]
    assert named[:1] == found
