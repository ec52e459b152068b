"""What was kept of a parameter and changes with it."""

from pathlib import Path

import pytest
from support.why import said, watched

from weaver.recording.limits import Limits
from weaver.why.findings import find

START = """import copy
import torch
from torch import nn
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 4)
class Penalty:
    def __init__(self, net):
        self.means = {}
        for name, p in net.named_parameters():
            self.means[name] = KEEP
    def of(self, net):
        total = 0
        for name, p in net.named_parameters():
            total = total + (p - self.means[name]).pow(2).sum()
        return total
penalty = Penalty(net)
for _ in range(3):
    optimizer.zero_grad()
    loss = net(x).pow(2).mean() + penalty.of(net)
    loss.backward()
    optimizer.step()
"""
BEST = """import copy
import torch
from torch import nn
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 4)
for epoch in range(3):
    optimizer.zero_grad()
    net(x).pow(2).mean().backward()
    if epoch == 0:
        best = KEEP
    optimizer.step()
    LINE
USE
"""


def found(source):
    return [(severity, line) for severity, name, line in said(source) if name == "alias"]


@pytest.mark.parametrize("keep", ["p.data", "p.detach()"])
def test_means_that_follow_the_parameters_are_found(keep):
    assert found(START.replace("KEEP", keep)) == [("wrong", 11)]


def test_a_state_dict_that_is_loaded_later_is_found():
    assert found(BEST.replace("KEEP", "net.state_dict()").replace("LINE", "pass").replace("USE", "net.load_state_dict(best)")) == [("wrong", 11)]


def test_a_state_dict_that_a_function_returns_and_its_caller_loads_is_found():
    source = BEST.replace("for epoch", "def train():\n  for epoch").replace("    optimizer", "      optimizer").replace("    net(x)", "      net(x)")
    source = source.replace("    if epoch", "      if epoch").replace("        best = KEEP", "          best = net.state_dict()")
    source = source.replace("    LINE\n", "  return best\n").replace("USE", "kept = train()\nnet.load_state_dict(kept)")
    assert found(source) == [("wrong", 12)]


def test_copies_are_nothing_wrong():
    assert found(START.replace("KEEP", "p.data.clone()")) == []
    copied = BEST.replace("KEEP", "copy.deepcopy(net.state_dict())").replace("LINE", "pass")
    assert found(copied.replace("USE", "net.load_state_dict(best)")) == []


def test_what_is_kept_anew_before_it_is_read_is_nothing_wrong():
    source = BEST.replace("KEEP", "0").replace("LINE", "kept = {'w': net.weight.data}\n    print(kept['w'].shape)")
    assert found(source.replace("USE", "pass")) == []


def test_what_is_loaded_is_found_although_it_was_filled_again_since_the_last_update():
    source = BEST.replace("KEEP", "0").replace("LINE", "if epoch:\n        best = net.state_dict()")
    assert found(source.replace("USE", "net.load_state_dict(best)")) == [("wrong", 14)]
    assert found(source.replace("if epoch:", "for _ in '1':").replace("USE", "net.load_state_dict(best)")) == []
    assert found(source.replace("net.state_dict()", "copy.deepcopy(net.state_dict())").replace("USE", "net.load_state_dict(best)")) == []


KEPT = """import torch
from torch import nn
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 4)
def gradients(scale):
    optimizer.zero_grad(set_to_none=False)
    (net(x) * scale).pow(2).mean().backward()
    found = [KEEP for p in net.parameters()]
    return found
for _ in range(3):
    grads = []
    for scale in (1.0, 2.0):
        grads.append(gradients(scale))
    total = [sum(pair) for pair in zip(*grads)]
    for p, g in zip(net.parameters(), total):
        p.grad = g
    optimizer.step()
"""


@pytest.mark.parametrize("keep, lines", [("p.grad", [9]), ("p.grad.clone()", []), ("p.grad * 1", [])])
def test_gradients_that_the_next_pass_changes_before_they_are_read_are_found(keep, lines):
    assert [line for _, name, line in said(KEPT.replace("KEEP", keep)) if name == "alias_grad"] == lines


def test_gradients_that_are_listed_anew_in_each_iteration_are_nothing_wrong():
    source = """import torch
from torch import nn
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 4)
norms = []
for _ in range(3):
    optimizer.zero_grad(set_to_none=False)
    net(x).pow(2).mean().backward()
    grads = [p.grad for p in net.parameters()]
    norms.append(sum(g.pow(2).sum() for g in grads))
    optimizer.step()
"""
    assert said(source) == []


def test_what_the_program_itself_writes_to_is_no_copy_on_purpose():
    source = """import torch
from torch import nn
class Decay:
    def __init__(self, net):
        self.params = [p.detach() for p in net.parameters()]
    def step(self):
        for p in self.params:
            p.mul_(0.99)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
decay = Decay(net)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.ones(8, 4)).pow(2).mean().backward()
    optimizer.step()
    decay.step()
"""
    assert [name for _, name, _ in said(source) if name == "alias"] == []


PROXIMAL = """import torch
from torch import nn
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
start = KEEP
for _ in range(3):
    optimizer.zero_grad()
    loss = net(torch.ones(8, 4)).pow(2).mean()
    for p, q in zip(net.parameters(), start):
        loss = loss + (p - q).pow(2).sum()
    loss.backward()
    optimizer.step()
"""


SAMPLED = """import torch
from torch import nn
nets = nn.ModuleList([nn.Linear(4, 2), nn.Linear(2, 1)])
optimizer = torch.optim.SGD(nets.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    x, loss = torch.ones(8, 4), 0
    for net in nets:
        mean = net(x)
        x = mean.add_(torch.randn(1)) if net is nets[1] else mean.add(1)
        loss = loss + (x - mean).pow(2).sum() + x.sum()
    loss.backward()
    optimizer.step()
"""


def test_a_difference_that_is_only_sometimes_of_one_tensor_says_how_often():
    [one] = [one for one in find(watched(Path("/program.py"), SAMPLED)) if one.name == "alias"]
    assert (one.case, one.line, one.fields) == ("same_some", 11, {"name": "`mean`, `x`", "n": "3", "whole": "6"})


@pytest.mark.parametrize(
    ("keep", "found"),
    [("list(net.parameters())", [10]), ("[p.detach().clone() for p in net.parameters()]", []), ("[2 * p for p in nn.Linear(4, 1).parameters()]", [])],
)
def test_a_difference_of_a_parameter_and_itself_is_found(keep, found):
    assert [line for _, name, line in said(PROXIMAL.replace("KEEP", keep)) if name == "alias_same"] == found


PULLED = """import torch
from torch import nn
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
start = KEEP
for _ in range(3):
    optimizer.zero_grad()
    net(torch.ones(8, 4)).pow(2).mean().backward()
    for w, w_t in zip(net.parameters(), start):
        w.grad += 0.1 * (w.data - w_t.data)
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("keep", "found"),
    [
        ("list(net.parameters())", [10]),
        ("[w.detach().clone() for w in net.parameters()]", []),
        ("[net.weight, net.bias.detach().clone()]", []),
    ],
)
def test_a_difference_of_the_values_of_a_parameter_and_itself_is_found(keep, found):
    assert [line for _, name, line in said(PULLED.replace("KEEP", keep)) if name == "alias_same"] == found


UNWATCHED = """import torch
from torch import nn
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 4)
class Best:
    def __init__(self):
        self.state = None
    def save(self, net):
        self.state = {k: v.detach().cpu() for k, v in net.state_dict().items()}
best = Best()
for epoch in range(3000):
    optimizer.zero_grad()
    net(x).pow(2).mean().backward()
    optimizer.step()
    if epoch % 4 == 0 and epoch < 1000:
        best.save(net)
net.load_state_dict(best.state)
"""


def test_what_was_kept_where_nobody_watched_is_told_at_the_line_that_keeps_it():
    assert found(UNWATCHED) == [("wrong", 10)]


@pytest.mark.parametrize(("copied", "lines"), [("copy.copy(net)", [5]), ("copy.deepcopy(net)", [])])
def test_a_shallow_copy_of_a_module_is_found_where_it_is_made(copied, lines):
    source = f"""import copy
import torch
from torch import nn
net = nn.Linear(4, 1)
reference = {copied}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 4)
for _ in range(3):
    optimizer.zero_grad()
    with torch.no_grad():
        wanted = reference(x)
    (net(x) - wanted - 1).pow(2).mean().backward()
    optimizer.step()
"""
    assert [line for _, name, line in said(source) if name == "alias_shallow"] == lines


BY_HAND = """import torch
from torch import nn
net = nn.Linear(4, 1)
for _ in range(3):
    before = KEEP
    for _ in range(2):
        net.zero_grad()
        net(torch.randn(8, 4)).pow(2).mean().backward()
        for one in net.parameters():
            one.data -= 0.1 * one.grad
    after = net.state_dict()
    net.load_state_dict({name: before[name] + (after[name] - before[name]) * 0.5 for name in before})
"""


def test_what_is_kept_is_found_to_follow_writes_by_data_too():
    assert said(BY_HAND.replace("KEEP", "net.state_dict()")) == [("wrong", "alias", 5)]
    assert said(BY_HAND.replace("KEEP", "{name: one.clone() for name, one in net.state_dict().items()}")) == []


SHADOW = """import torch
from torch import nn
net = nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
class Average:
    def __init__(self):
        self.shadow = [KEEP for one in net.parameters()]
    def update(self):
        with torch.no_grad():
            for kept, one in zip(self.shadow, net.parameters()):
                kept.sub_(0.1 * (kept - one))
average = Average()
for _ in range(3):
    optimizer.zero_grad()
    net(torch.ones(2, 2)).pow(2).mean().backward()
    optimizer.step()
    average.update()
"""


def test_an_average_that_shares_the_storage_of_its_parameters_is_found_though_it_writes_to_them():
    assert ("wrong", "alias", 7) in said(SHADOW.replace("KEEP", "one.detach()"))
    assert said(SHADOW.replace("KEEP", "one.detach().clone()")) == []
    params = SHADOW.replace("KEEP", "one.detach()").replace("shadow", "params").replace("average", "average_of")
    assert not [one for one in said(params) if one[1] == "alias"]  # what's averaged is kept there on purpose


TARGET = """import copy
import torch
from torch import nn
net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
target_net = TARGET
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    wanted = target_net(torch.randn(8, 4)).detach()
    optimizer.zero_grad()
    (net(torch.randn(8, 4)) - wanted).pow(2).mean().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("net.to('cpu')", [("wrong", "alias_target", 5)]),
        ("copy.deepcopy(net)", []),
        ("nn.Sequential(net[0], nn.Linear(4, 1))", []),  # a part that both share
    ],
)
def test_a_target_network_that_is_the_trained_one_is_found_where_it_is_made(target, found):
    assert said(TARGET.replace("TARGET", target)) == found
    assert said(TARGET.replace("TARGET", target).replace("target_net", "ref")) == found


PUT_BACK = """import torch
from torch import nn
def fit(net, optimizer):
    best, least = None, 1e9
    for i in range(40):
        loss = (net(torch.ones(4, 2)) - 1).pow(2).mean()
        if loss.item() < least:
            least, best = loss.item(), {"epoch": i, "state": STATE}
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return best
net = nn.Linear(2, 1)
best = fit(net, torch.optim.SGD(net.parameters(), lr=0.1))
MODEL.load_state_dict(best["state"])
"""


@pytest.mark.parametrize(
    ("state", "model", "found"),
    [
        ("net.state_dict()", "net", [("", 8, 15)]),
        ("{k: v.clone() for k, v in net.state_dict().items()}", "net", []),
    ],
)
def test_a_best_state_that_is_the_models_own_is_found_where_it_is_put_back_though_few_updates_were_watched(state, model, found):
    source = PUT_BACK.replace("STATE", state).replace("MODEL", model)
    run = watched(Path("/program.py"), source, Limits(acts=True, looks=60))
    assert run.has_gap(0, len(run.steps))
    assert [(one.case, one.line, one.at) for one in find(run) if one.name == "alias"] == found


ANCHORED = """import torch
from torch import nn
net = nn.Linear(4, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
means = {name: KEPT for name, one in net.named_parameters()}
for _ in range(3):
    loss = net(torch.ones(2, 4)).mean()
    for name, one in net.named_parameters():
        loss = loss + (one - means[name]).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_a_distance_to_what_shares_the_parameters_memory_is_always_zero():
    assert ("wrong", "alias_same", 9) in said(ANCHORED.replace("KEPT", "one.detach()"))
    assert said(ANCHORED.replace("KEPT", "one.detach().clone()")) == []


SUMMED = """import torch
from torch import nn
net = nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
total = None
for _ in range(3):
    optimizer.zero_grad(set_to_none=False)
    net(torch.randn(4, 2)).mean().backward()
    grads = [KEPT for one in net.parameters()]
    total = grads if total is None else [a + b for a, b in zip(total, grads)]
"""


@pytest.mark.parametrize(("kept", "is_found"), [("one.grad.data", True), ("one.grad", True), ("one.grad.clone()", False)])
def test_gradients_kept_through_data_share_the_memory_of_those_that_a_reset_empties(kept, is_found):
    assert bool([one for one in said(SUMMED.replace("KEPT", kept)) if one[1] == "alias_grad"]) is is_found
