"""Sums in which a tensor and its detached copy cancel out."""

from pathlib import Path

import pytest
from support.why import watched

from weaver.why.findings import find_with_facts

SOURCE = """import torch
from torch import nn
net = nn.Linear(4, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    x = net(torch.ones(2, 4))
    hard = torch.ones(2, 3)
    LINE
    optimizer.zero_grad()
    (y.pow(2).mean() + x.mean()).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("y = x + (hard - x).detach()", [(8, "x")]),
        ("y = (hard - x).detach() + x", [(8, "x")]),
        ("y = hard - x.detach() + x", [(8, "x")]),
        ("y = hard - (x.data - x)", [(8, "x")]),
        ("y = hard; y += x - x.detach()", [(8, "x")]),
        ("y = hard - x.sigmoid().detach() + x.sigmoid()", [(8, "x.sigmoid()")]),
        ("y = hard + x.detach() + x", []),  # both count
        ("y = x - hard.detach() + hard", []),  # no gradient flows to it anyway
        ("y = x + (hard - x.detach())", [(8, "x")]),
        ("y = x + 0.5 * (hard - x).detach()", []),
    ],
)
def test_a_term_that_passes_a_gradient_without_being_in_the_value_is_told(line, found):
    facts = find_with_facts(watched(Path("/program.py"), SOURCE.replace("LINE", line)))
    assert [(one.line, one.fields["name"]) for one in facts if one.case == "straight" and one.name == "trained"] == found
