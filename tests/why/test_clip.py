"""Clipping that changes nothing."""

import pytest
from support.why import said

SOURCE = """import torch
from torch import nn
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    BEFORE
    net(torch.ones(8, 4)).pow(2).mean().backward()
    for p in net.parameters():
        kept = p.grad.detach().clone()
        nn.utils.clip_grad_norm_(CLIPPED, 1.0)
    optimizer.step()
"""


@pytest.mark.parametrize(("clipped", "found"), [("kept", [11]), ("p", []), ("net.parameters()", [])])
def test_clipping_tensors_without_a_gradient_is_found(clipped, found):
    told = said(SOURCE.replace("CLIPPED", clipped).replace("BEFORE", "pass"))
    assert [line for _, name, line in told if name == "clip_nothing"] == found


def test_clipping_that_only_the_first_time_meets_no_gradient_is_nothing_wrong():
    early = SOURCE.replace("    optimizer.zero_grad()\n", "").replace("BEFORE", "nn.utils.clip_grad_norm_(net.parameters(), 1.0)")
    told = said(early.replace("CLIPPED", "p").replace("optimizer.step()", "optimizer.step(); optimizer.zero_grad(set_to_none=False)"))
    assert [name for _, name, _ in told if name == "clip_nothing"] == []


@pytest.mark.parametrize(
    ("made", "found"),
    [
        ("filter(lambda p: p.requires_grad, net.parameters())", [11]),
        ("(p for p in net.parameters())", [11]),
        ("iter([*net.parameters()])", [11]),
        ("chain(net.parameters(), nn.Linear(2, 2).parameters())", [11]),
        ("[*filter(lambda p: p.requires_grad, net.parameters())]", []),
    ],
)
def test_clipping_what_the_optimizer_has_used_up_is_found(made, found):
    source = SOURCE.replace("from torch import nn", "from torch import nn; from itertools import chain").replace("optimizer = torch.optim.SGD(net.parameters()", f"held = {made}; optimizer = torch.optim.SGD(held")
    told = said(source.replace("CLIPPED", "held").replace("BEFORE", "pass"))
    assert [line for _, name, line in told if name == "clip_empty"] == found


def test_clipping_what_is_filtered_anew_is_nothing_wrong():
    told = said(SOURCE.replace("CLIPPED", "filter(lambda p: p.requires_grad, net.parameters())").replace("BEFORE", "pass"))
    assert [name for _, name, _ in told if name.startswith("clip")] == []


def test_clipping_before_each_pass_never_clips_what_a_step_has_used():
    early = SOURCE.replace("BEFORE", "nn.utils.clip_grad_norm_(net.parameters(), 1.0)").replace("CLIPPED", "p")
    assert [(name, line) for _, name, line in said(early) if name.startswith("clip")] == [("clip_nothing", 7)]
