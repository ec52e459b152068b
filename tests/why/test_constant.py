"""A term of the loss that's a constant, although it was computed from what the loss should train."""

from pathlib import Path

import pytest
from support.why import said, watched

from weaver.why.findings import find

START = """import torch
from torch import nn
from torch.nn.functional import mse_loss
torch.manual_seed(0)
net, rated = nn.Linear(4, 4), nn.Linear(4, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8, 4), torch.randn(8, 4)
@torch.no_grad()
def features(x):
    return rated(x).relu()
def perception(a, b):
    return mse_loss(features(a), features(b))
def total(out):
    perceived = perception(out, y)
    return mse_loss(out, y) + 0.01 * perceived
for _ in range(3):
    optimizer.zero_grad()
    out = net(x)
    LOSS
    loss.backward()
    optimizer.step()
"""


def found(loss):
    return [line for _, name, line in said(START.replace("LOSS", loss)) if name == "constant"]


@pytest.mark.parametrize(
    "loss, line",
    [
        ("loss = total(out)", 15),
        ("loss = mse_loss(out, y) + 0.5 * perception(out, y)", 19),
        ("accuracy = (out.argmax(1) == y.argmax(1)).float().mean(); loss = mse_loss(out, y) - accuracy", 19),
        ("loss = mse_loss(out, y)\n    for p in net.parameters():\n        loss = loss + p.data.norm()", 21),
        ("size = 0\n    for p in net.parameters():\n        size += p.data.norm()\n    loss = mse_loss(out, y) + size", 22),
    ],
)
def test_a_term_that_was_cut_off_on_its_way_is_found_where_it_is_added(loss, line):
    assert found(loss) == [line]


@pytest.mark.parametrize(
    "loss",
    [
        "loss = mse_loss(out, y) + 0.1 * out.abs().mean()",
        "loss = mse_loss(out + (out.round() - out).detach(), y)",  # straight through
        "weight = out.argmax(1).float().mean(); loss = mse_loss(out, y) * weight",
        "loss = mse_loss(out, y) + 0.01 * out.size(0) + y.mean()",
        "loss = mse_loss(out, y) + (out.abs().mean() if _ > 5 else 0)",
        "extra = torch.zeros(()) if _ < 2 else out.abs().mean(); loss = mse_loss(out, y) + extra",
        "target = y.mean() + 0.9 * out.argmax(1).float().mean(); loss = (target - out.mean()) ** 2",
    ],
)
def test_weights_targets_and_what_is_no_part_of_the_network_may_be_constant(loss):
    assert found(loss) == []


def test_a_number_that_losses_are_added_to_at_first_is_nothing_wrong():
    for line in ("loss = total + mse_loss(out, y)", "total += mse_loss(out, y); loss = total", "loss = sum([mse_loss(out, y)]) + out.mean()"):
        assert found(f"total = 0\n    {line}") == []


def test_a_term_that_has_a_graph_later_is_nothing_wrong():
    extra = "def extra(out, on):\n    return out.abs().mean() if on else out.argmax().float()\nfor _"
    source = START.replace("for _", extra, 1).replace("LOSS", "loss = mse_loss(out, y) + extra(out, _)")
    assert [one for one in said(source) if one[1] == "constant"] == []


DRAWN = """import torch
from torch import nn
mean = nn.Parameter(torch.ones(4))
optimizer = torch.optim.SGD([mean], lr=0.1)
x, y = torch.randn(8, 4), torch.randn(8)
class Layer:
    def __call__(self, x):
        w = torch.distributions.Normal(mean, torch.ones(4)).SAMPLE()
        return x @ w
layer = Layer()
for _ in range(3):
    fit = torch.zeros(2)
    for i in range(2):
        fit[i] = (layer(x) - y).pow(2).mean()
    loss = fit.mean() + 0.1 * mean.pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_a_term_that_sample_makes_a_constant_is_found_where_the_sample_is_taken():
    assert said(DRAWN.replace("SAMPLE", "sample")) == [("wrong", "constant_sample", 8)]
    inline = DRAWN.replace("SAMPLE", "sample").replace("fit.mean()", "(x @ torch.distributions.Normal(mean, 1.0).sample()).mean()")
    assert [name for _, name, _ in said(inline)] == ["constant_sample"]


def test_a_sample_that_passes_gradients_on_is_nothing_wrong():
    assert said(DRAWN.replace("SAMPLE", "rsample")) == []


def test_a_term_that_a_function_computed_from_a_list_is_found():
    agree = "def agree(outs):\n    return (outs[0].argmax(-1) == outs[1].argmax(-1)).float().mean()\nfor _"
    source = START.replace("for _", agree, 1).replace("LOSS", "outs = [out, out * 2]\n    term = agree(outs)\n    loss = mse_loss(out, y) + term")
    assert [one[1] for one in said(source)] == ["constant"]


def test_the_line_of_a_called_function_is_named_that_takes_no_graph_over():
    agree = "def agree(outs):\n    same = 0\n    for i in range(2):\n        best = outs[i].argmax(-1)\n        same = same + best.float().mean()\n    return same\nfor _"
    source = START.replace("for _", agree, 1).replace("LOSS", "outs = [out, out * 2]\n    term = agree(outs)\n    loss = mse_loss(out, y) + term")
    run = watched(Path("/program.py"), source)
    [one] = [one for one in find(run) if one.name == "constant"]
    assert (run.lines.texts[(one.at or 0) - 1].strip(), one.fields["leaf"]) == ("best = outs[i].argmax(-1)", "outs")


TURNS = """import torch
from torch import nn
from torch.nn.functional import mse_loss
torch.manual_seed(0)
first, second, judge = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 1)
judge.requires_grad_(False)
x, y = torch.randn(8, 4), torch.randn(8, 4)
def loss_of(net):
    out = net(x)
    told = judge(DETACHED)
    extra = mse_loss(told, torch.ones(8, 1))
    return mse_loss(out, y) + extra
for _ in range(3):
    for net in (first, second):
        first.requires_grad_(net is first)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        optimizer.zero_grad()
        loss_of(net).backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("detached", "found"),
    [
        ("out.detach()", [("note", "constant_meant", 10)]),
        ("out.detach() + first.bias", [("note", "constant_meant", 10)]),
        ("out", []),
    ],
)
def test_a_term_that_detach_makes_a_constant_for_some_parameters_is_good_to_know(detached, found):
    assert [one for one in said(TURNS.replace("DETACHED", detached)) if one[1].startswith("constant")] == found


REAL = """import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as bce
critic, other = nn.Linear(4, 1), nn.Linear(4, 1)
optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
for _ in range(3):
    real = MODEL(torch.randn(8, 4))
    fake = critic(torch.randn(8, 4))
    loss = bce(real.detach(), torch.ones(8, 1)) + bce(fake, torch.zeros(8, 1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("model", "found"), [("critic", [("note", "constant_meant", 9)]), ("other", [])])
def test_a_term_of_what_is_detached_after_the_model_that_the_loss_trains_is_good_to_know(model, found):
    assert [one for one in said(REAL.replace("MODEL", model)) if one[1].startswith("constant")] == found


SHIFTED = """import torch
from torch import nn
net = nn.Linear(4, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    z = net(torch.randn(8, 4))
    top = SHIFT
    shifted = z - top.detach()
    loss = (shifted.exp().sum().log() - shifted.mean()) + top.detach()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("shift", "found"), [("z.max()", []), ("z.amax()", []), ("z.mean()", [8, 9])])
def test_a_maximum_that_is_detached_is_there_for_numerical_stability(shift, found):
    told = said(SHIFTED.replace("SHIFT", shift))
    assert [line for _, name, line in told if name == "constant_meant"] == found


@pytest.mark.parametrize(
    ("norms", "found"),
    [
        ("p.data.norm()", [("wrong", "constant_norms", 8)]),
        ("p.norm().item()", [("wrong", "constant_norms", 8)]),
        ("p.detach().pow(2).sum()", [("wrong", "constant_norms", 8)]),
        ("p.norm()", []),
    ],
)
def test_a_penalty_of_parameters_without_a_graph_is_found(norms, found):
    source = f"""import torch
from torch import nn
net = nn.Linear(4, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = net(torch.randn(8, 4)).pow(2).mean()
    loss = loss + 0.1 * sum({norms} for p in net.parameters())
    loss.backward()
    optimizer.step()
"""
    assert said(source) == found


TWO = """import torch
from torch import nn
first, second, critic = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 1)
critic.requires_grad_(False)
optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.1)
for _ in range(3):
    a, b = first(torch.ones(2, 4)), second(torch.ones(2, 4))
    loss_a = critic(a.detach()).mean()
    loss_b = critic(b.detach()).mean()
    loss = loss_a + loss_b + (a - b).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_each_of_two_terms_that_are_constants_is_told_with_the_line_that_cuts_it():
    assert said(TWO) == [("note", "constant_meant", 8), ("note", "constant_meant", 9)]


COUNTED = """import torch
from torch import nn
class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate, self.each = nn.Linear(4, 2), nn.Linear(4, 2)
    def forward(self, x):
        g = self.gate(x).softmax(1)
        load = LOAD
        return (g * self.each(x)).sum(1), load.var()
net = Experts()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    out, spread = net(torch.randn(8, 4))
    loss = out.pow(2).mean() + 0.1 * spread
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("load", "expected"), [("(g > 0.5).float().sum(0)", [("wrong", "constant", 15)]), ("g.sum(0)", [])])
def test_a_term_is_followed_to_the_line_of_a_function_that_cut_it_and_returned_several(load, expected):
    assert said(COUNTED.replace("LOAD", load)) == expected


APART = """import torch
from torch import nn
net, critic = nn.Linear(4, 4), nn.Linear(4, 1)
for one in critic.parameters():
    one.requires_grad = False
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    out = net(torch.randn(8, 4))
    kept = [out.data]
    score = critic(TAKEN).mean()
    loss = out.pow(2).mean() - score
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("taken", "expected"),
    [
        ("torch.randn(8, 4)", [("note", "constant_part", 11)]),
        ("out", []),
    ],
)
def test_a_term_that_is_computed_anew_and_has_no_graph_is_good_to_know(taken, expected):
    assert said(APART.replace("TAKEN", taken)) == expected


def test_a_number_that_is_added_to_a_loss_is_no_term_that_should_train():
    assert said(APART.replace("critic(TAKEN).mean()", "torch.tensor(0.5)")) == []
