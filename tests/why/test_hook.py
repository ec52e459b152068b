"""Hooks that no backward pass calls."""

from pathlib import Path

import pytest
from support.why import said, watched

from weaver.why.findings import hooked

SOURCE = """import torch
from torch import nn
net = nn.Linear(4, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    y = net(torch.ones(2, 4))
    y.register_hook(lambda grad: grad)
    loss = (y if i < FIRST else net(torch.ones(2, 4))).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("first", "found"), [("0", [("wrong", "hook", 7)]), ("2", [])])
def test_a_hook_that_no_pass_calls_is_found_but_not_one_that_some_called(first, found):
    assert [one for one in said(SOURCE.replace("FIRST", first)) if one[1] == "hook"] == found


REVERSED = """import torch
from torch import nn
net, critic = nn.Linear(4, 4), nn.Linear(4, 1)
optimizer = torch.optim.SGD([*net.parameters(), *critic.parameters()], lr=0.1)
for _ in range(3):
    out = net(torch.randn(8, 4))
    OWN
    out.register_hook(lambda g: SIGN 0.5 * g)
    loss = critic(out).mean()
    loss = loss + USED.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("own", "sign", "used", "expected"),
    [
        ("pass", "-", "out", [("note", "hook_reversed", 8)]),
        ("pass", "", "out", []),
        ("plain = out; out = out * 1", "-", "plain", []),  # a tensor of its own
    ],
)
def test_a_hook_that_reverses_the_gradients_of_several_losses_is_good_to_know(own, sign, used, expected):
    source = REVERSED.replace("OWN", own).replace("SIGN", sign).replace("USED", used)
    assert said(source) == expected


def test_what_a_hook_changes_is_told_with_the_lines_from_which_that_gradient_comes():
    run = watched(Path("/program.py"), REVERSED.replace("OWN", "pass").replace("SIGN", "").replace("USED", "out"))
    [fact] = hooked.find(run)
    assert (fact.line, fact.case, fact.fields["name"], fact.fields["first"]) == (8, "hooked_several", "out", "9, 10")
    assert fact.fields["groups"] == "`net.*` (2)"


WRITING = """import torch
from torch import nn
net, critic = nn.Linear(4, 4), nn.Linear(4, 1)
optimizer = torch.optim.SGD([*net.parameters(), *critic.parameters()], lr=0.1)
def halve(grad):
    CHANGE
    return grad
for _ in range(3):
    out = net(torch.randn(8, 4))
    out.register_hook(HOOK)
    loss = critic(out).mean() + out.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("hook", "change", "is_found"),
    [
        ("lambda g: g.mul_(0.5)", "pass", True),
        ("lambda g: g * 0.5", "pass", False),
        ("lambda g: out.detach().clone().mul_(0.0) + g", "pass", False),
        ("halve", "grad *= 0.5", True),
        ("halve", "grad[grad > 1] = 1.0", True),
        ("halve", "grad = grad * 0.5", False),
        ("halve", "grad = grad.clone(); grad[grad > 1] = 1.0", False),
        ("halve", "grad.requires_grad_(False)", False),
    ],
)
def test_a_hook_that_writes_into_the_gradient_it_receives_is_found_where_it_is_registered(hook, change, is_found):
    expected = [("wrong", "hook_writes", 10)] if is_found else []
    assert said(WRITING.replace("HOOK", hook).replace("CHANGE", change)) == expected
