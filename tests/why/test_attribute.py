"""`requires_grad` is set on a module."""

from pathlib import Path

import pytest
from support.why import said, watched

from weaver.why.findings import find

START = """import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 4), nn.Linear(4, 1)
    def forward(self, x):
        return self.head(self.body(x))
net = Net()
FREEZE
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    net(torch.ones(2, 4)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    "freeze", ["net.body.requires_grad = False", "for m in [net.body]: m.requires_grad = False"]
)
def test_an_attribute_of_a_module_freezes_nothing(freeze):
    assert ("wrong", "attribute", 10) in said(START.replace("FREEZE", freeze))


@pytest.mark.parametrize(
    "freeze",
    [
        "net.body.requires_grad_(False)",
        "for p in net.body.parameters(): p.requires_grad = False",
        "net.body.weight.requires_grad = False",
        "net.frozen = False",
    ],
)
def test_what_freezes_parameters_is_nothing_wrong(freeze):
    assert said(START.replace("FREEZE", freeze)) == []


@pytest.mark.parametrize(
    "freeze",
    ["for p in net.body.parameters(): p.require_grad = False", "net.body.weight.requires_grads = False", "net.body.require_grad = False"],
)
def test_a_misspelled_attribute_freezes_nothing(freeze):
    assert ("wrong", "attribute_misspelled", 10) in said(START.replace("FREEZE", freeze))


BY_HAND = """import torch
w = torch.ones(1, requires_grad=True)
for _ in range(4):
    (w * 2).backward()
    with torch.no_grad():
        for p in [w]:
            UPDATE
    w.grad.zero_()
"""


def test_a_parameter_whose_name_is_given_to_another_tensor_is_found():
    assert said(BY_HAND.replace("UPDATE", "p = p - 0.1 * p.grad")) == [("wrong", "attribute_rebound", 7)]
    assert said(BY_HAND.replace("UPDATE", "p -= 0.1 * p.grad")) == []
    assert said(BY_HAND.replace("UPDATE", "p.copy_(p - 0.1 * p.grad)")) == []


SETTING = """import torch
from torch import nn
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    SET
    optimizer.zero_grad()
    net(torch.ones(8, 4)).pow(2).mean().backward()
    optimizer.step()
"""


def test_a_setting_that_the_optimizer_does_not_read_is_found():
    assert said(SETTING.replace("SET", "optimizer.lr = 0.1 / (step + 1)")) == [("wrong", "attribute_setting", 6)]
    assert said(SETTING.replace("SET", "optimizer.param_groups[0]['lr'] = 0.1 / (step + 1)")) == []


AVERAGE = """import copy
import torch
from torch import nn
net = nn.Linear(4, 1)
slow = copy.deepcopy(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    optimizer.zero_grad()
    net(torch.ones(8, 4)).pow(2).mean().backward()
    optimizer.step()
    with torch.no_grad():
        for q, p in zip(slow.parameters(), net.parameters()):
            UPDATE
"""


def test_an_average_that_only_a_loops_variable_gets_is_found():
    assert said(AVERAGE.replace("UPDATE", "q = 0.9 * q + 0.1 * p")) == [("wrong", "attribute_rebound", 13)]
    assert said(AVERAGE.replace("UPDATE", "q.mul_(0.9).add_(0.1 * p)")) == []
    assert said(AVERAGE.replace("UPDATE", "q = q * 0.9; slow.total = q")) == []


@pytest.mark.parametrize(("around", "found"), [("if True:", [("note", "attribute_volatile", 7)]), ("with torch.no_grad():", [])])
def test_volatile_has_no_effect_any_more(around, found):
    source = f"import torch\nfrom torch import nn\nfrom torch.autograd import Variable\nnet = nn.Linear(2, 1)\n{around}\n    for _ in range(2):\n        x = Variable(torch.ones(2), volatile=True)\n        print(net(x).sum().item())\n"
    assert said(source) == found


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("net.head.requires_grad_(False); net.head.requires_grad = True", "attribute_on"),
        ("net.head.requires_grad_(False); net.head.weight.require_grad = True", "attribute_misspelled_on"),
        ("net.head.weight.requires_grad = False; net.head.weight[0].requires_grad = True", "attribute_part"),
        ("net.head.weight.requires_grad = False; net.head.weight[:, 1:].requires_grad_()", "attribute_part"),
    ],
)
def test_what_turns_requires_grad_on_only_in_appearance_is_found(lines, found):
    assert ("wrong", found, 10) in said(START.replace("FREEZE", lines))


@pytest.mark.parametrize(
    "lines", ["net.head.requires_grad_(True)", "params = [*net.parameters()]; params[0].requires_grad = False"]
)
def test_what_switches_a_whole_parameter_is_nothing_wrong(lines):
    assert said(START.replace("FREEZE", lines)) == []


def test_a_part_of_a_parameter_that_cannot_be_frozen_explains_the_error():
    assert said(START.replace("FREEZE", "net.head.weight[0].requires_grad = False")) == [("fails", "attribute_part", 10)]


def test_a_loop_that_only_gives_its_variable_to_new_tensors_is_found_though_an_optimizer_writes_later():
    loop = "for p in net.parameters():\n    p = torch.zeros_like(p)"
    assert ("wrong", "attribute_rebound", 11) in said(START.replace("FREEZE", loop))


NORMED = """import torch
from torch import nn
class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = MADE(nn.Conv2d(1, 1, 3))
    def forward(self, x):
        self.conv.weight.WRITE
        return self.conv(x)
net = Masked()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.ones(1, 1, 5, 5)).mean().backward()
    optimizer.step()
"""
PARAMETRIZED, OLD = "nn.utils.parametrizations.weight_norm", "nn.utils.weight_norm"


@pytest.mark.parametrize(
    ("made", "write", "leaf"),
    [
        (PARAMETRIZED, "data[:, :, -1].zero_()", "self.conv.parametrizations.weight.original0"),
        (PARAMETRIZED, "data[:, :, -1] = 0", "self.conv.parametrizations.weight.original0"),
        (PARAMETRIZED, "data.mul_(0.5)", "self.conv.parametrizations.weight.original0"),
        (OLD, "data[:, :, -1].zero_()", "self.conv.weight_v"),
        ("", "data[:, :, -1].zero_()", None),
        (PARAMETRIZED, "data.sum()", None),
    ],
)
def test_a_write_to_a_weight_that_is_computed_anew_each_time_is_lost(made, write, leaf):
    found = find(watched(Path("/program.py"), NORMED.replace("MADE", made).replace("WRITE", write)))
    told = [(one.line, one.fields) for one in found if one.case == "recomputed"]
    assert told == ([(8, {"name": "self.conv.weight", "leaf": leaf})] if leaf else [])
