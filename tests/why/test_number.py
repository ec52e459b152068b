"""A number in the loss, where the tensor was meant."""

import pytest
from support.why import said

START = """import torch
from torch import nn
x = torch.randn(8, 4)
encode, decode = nn.Linear(4, 2), nn.Linear(2, 4)
optimizer = torch.optim.SGD([*encode.parameters(), *decode.parameters()], lr=0.1)
def terms(x):
    z = encode(x)
    size = z.pow(2).mean()
    return {"fit": (decode(z) - x).pow(2).mean(), "size": SIZE}
for _ in range(3):
    part = terms(x)
    loss = LOSS
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def program(size: str, loss: str) -> str:
    return START.replace("SIZE", size).replace("LOSS", loss)


def test_a_number_that_the_loss_adds_is_found_where_it_is_made():
    found = said(program("size.item()", 'part["fit"] + 0.1 * part["size"]'))
    assert found == [("wrong", "number", 9)]


@pytest.mark.parametrize(
    "size, loss",
    [
        ("size", 'part["fit"] + 0.1 * part["size"]'),
        ("size.item()", 'part["fit"]'),
        ("size", 'part["fit"] + part["size"] / part["size"].item()'),  # only its direction counts
    ],
)
def test_a_tensor_and_a_number_beside_it_are_nothing_wrong(size, loss):
    assert said(program(size, loss)) == []


def test_a_number_that_the_next_iteration_uses_is_nothing_wrong():
    carried = program("size", 'part["fit"] - k * part["size"]').replace("for _", "k = 0.0\nfor _")
    assert said(carried + '    k = k + 0.1 * part["size"].item()\n') == []
