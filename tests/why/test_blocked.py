"""Elements that get no gradient: beyond a clamp's limits, or not selected."""

from pathlib import Path

import pytest
from support.why import watched

from weaver.why.findings import find_with_facts

SOURCE = """import torch
from torch import nn
from torch.nn import functional as F
net = nn.Linear(1, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
nn.init.ones_(net.weight)
nn.init.zeros_(net.bias)
x = torch.tensor(VALUES).view(-1, 1)
for _ in range(3):
    optimizer.zero_grad()
    y = net(x)
    y = CLAMP
    y.sum().backward()
    optimizer.step()
"""


def told(clamp, values="[-9.0, 0.5, 9.0]"):
    run = watched(Path("/program.py"), SOURCE.replace("CLAMP", clamp).replace("VALUES", values))
    facts = [one for one in find_with_facts(run) if one.case == "clamped"]
    return [(one.line, one.fields["n"], one.fields["whole"]) for one in facts]


@pytest.mark.parametrize(
    ("clamp", "n"),
    [("y.clamp(-1, 1)", "2"), ("torch.clamp(y, min=-1)", "1"), ("y.clamp_max(1)", "1"), ("F.hardtanh(y)", "2")],
)
def test_elements_that_are_always_beyond_the_limits_are_counted(clamp, n):
    assert told(clamp) == [(12, n, "3")]


def test_of_a_long_tensor_they_are_counted_too():
    assert told("y.clamp(-1, 1)", "[-9.0, 0.5] * 50") == [(12, "50", "100")]


@pytest.mark.parametrize("clamp", ["y.clamp(-99, 99)", "y.relu()", "y.clamp(-0.9, 9.2) if y.max() < 9 else y.clamp(-99, 99)"])
def test_limits_that_nothing_or_only_some_pass_exceeds_arent_told(clamp):
    assert told(clamp) == []


def test_what_gets_no_gradient_from_elsewhere_isnt_counted():
    assert told("y.clamp(-1, 1) * torch.tensor([[0.0], [1.0], [0.0]])") == []


@pytest.mark.parametrize(
    ("select", "is_empty"),
    [("y[y > 99]", True), ("y.masked_select(y.eq(99))", True), ("y[y > 0]", False), ("y[y > 99] if y.max() < 8.8 else y[:2]", False)],
)
def test_a_selection_that_is_always_empty_is_told(select, is_empty):
    run = watched(Path("/program.py"), SOURCE.replace("y = CLAMP", f"part = {select}\n    y = y + part.sum()").replace("VALUES", "[-9.0, 0.5, 9.0]"))
    assert [one.line for one in find_with_facts(run) if one.case == "empty"] == [12] * is_empty
