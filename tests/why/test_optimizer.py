"""An optimizer that holds other tensors than those that are trained."""

from pathlib import Path

import pytest
from support.why import said, watched

from weaver.recording.limits import Limits
from weaver.why.findings import find

START = """import torch
from torch import nn
x = torch.randn(8, 4)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
rows = []
for i in range(100):
    rows.append(i)
LOAD
for _ in range(4):
    optimizer.zero_grad()
    net(x).pow(2).mean().backward()
    optimizer.step()
"""


def test_a_parameter_that_another_tensor_replaces_is_found_although_some_lines_were_not_watched():
    found = said(START.replace("LOAD", "net.weight = nn.Parameter(torch.zeros(1, 4))"))
    assert ("wrong", "optimizer_late", 9) in found


def test_a_parameter_whose_values_are_replaced_is_nothing_wrong():
    assert said(START.replace("LOAD", "net.weight.data.copy_(torch.zeros(1, 4))")) == []


BALANCED = """import torch
from torch import nn
net = nn.Linear(4, 2)
weights = nn.Parameter(torch.ones(2))
first = torch.optim.SGD(net.parameters(), lr=0.1)
second = torch.optim.SGD([weights], lr=0.1)
for _ in range(5):
    first.zero_grad()
    second.zero_grad()
    (weights * net(torch.ones(8, 4)).pow(2).mean(0)).sum().backward()
    first.step()
    second.step()
    AFTER
"""


@pytest.mark.parametrize(
    ("after", "found"),
    [
        ("weights = nn.Parameter((weights * 2 / weights.sum()).detach())", [6]),
        ("weights.data = weights.data * 2 / weights.data.sum()", []),
        ("with torch.no_grad(): weights *= 2 / weights.sum()", []),
    ],
)
def test_a_variable_that_leads_to_a_new_parameter_in_each_iteration_is_found_where_the_old_one_is_held(after, found):
    told = said(BALANCED.replace("AFTER", after))
    assert [line for _, name, line in told if name == "optimizer_replaced"] == found


COPIED = """import torch
from torch import nn
x = torch.randn(8, 4)
class Client:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
        self.optimizer = torch.optim.SGD(self.net[1].parameters(), lr=0.1)
class Server:
    def __init__(self):
        self.clients = [Client(), Client()]
server, net = Server(), nn.Linear(4, 1)
for _ in range(4):
    copy = nn.Linear(4, 1)
    copy.load_state_dict(net.state_dict())
    copy(x).pow(2).mean().backward()
    copy(x).abs().mean().backward()
    for client in server.clients:
        client.optimizer.zero_grad()
        client.net(x).pow(2).mean().backward()
        client.optimizer.step()
"""


def test_a_copy_that_lives_for_an_iteration_is_in_no_optimizer_on_purpose():
    told = said(COPIED.replace("self.net[1].parameters()", "self.net.parameters()"))
    assert [name for _, name, _ in told if name.startswith("optimizer")] == []


def test_a_list_of_what_is_no_module_hides_nothing():
    assert "optimizer_list" not in {name for _, name, _ in said(COPIED)}


def test_a_parameter_made_from_what_was_computed_is_found_where_it_is_made():
    source = """import torch
from torch import nn
x, net, rate = torch.randn(8, 4), nn.Linear(4, 1), nn.Linear(1, 1)
optimizer = torch.optim.SGD([*net.parameters(), *rate.parameters()], lr=0.1)
for _ in range(4):
    copy = nn.Linear(4, 1)
    scaled = net.weight * rate(torch.ones(1, 1))
    copy.weight = nn.Parameter(scaled)
    loss = copy(x).pow(2).mean() + net(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
    assert [(name, line) for _, name, line in said(source)] == [("no_gradient_parameter", 8)]


def test_what_replaces_a_parameter_is_told_once_and_no_other_name_stands_for_the_old_one():
    source = """import torch
from torch import nn
class Points:
    def __init__(self):
        self.place = nn.Parameter(torch.randn(4))
        self.size = nn.Parameter(torch.ones(4))
        self.optimizer = torch.optim.SGD([self.place, self.size], lr=0.01)
    def reset(self):
        self.size = nn.Parameter(self.size.detach().clone())
points = Points()
for step in range(8):
    loss = (points.place * points.size).pow(2).sum()
    points.optimizer.zero_grad()
    loss.backward()
    points.optimizer.step()
    if step == RESET:
        points.reset()
"""
    assert [(name, line) for _, name, line in said(source.replace("RESET", "0"))] == [("optimizer_replaced", 7)]
    assert said(source.replace("RESET", "9")) == []


FORCES = """import torch
from torch import nn
net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(net.parameters())
data = torch.randn(6, 3)
for i in range(4):
    x = data[i : i + 2]
    x.requires_grad_(True)
    force = torch.autograd.grad(net(x).sum(), x, create_graph=True)[0]
    optimizer.zero_grad()
    (force - 1).pow(2).mean().backward()
    optimizer.step()
"""


def test_data_that_begins_to_require_a_gradient_was_not_frozen():
    assert [one for one in said(FORCES) if one[0] == "wrong"] == []


OWN_LOSS = """import torch
from torch import nn
class Loss(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
    def forward(self, y):
        return (y * self.scale.exp()).pow(2).mean() + self.scale.sum()
class Trainer:
    def __init__(self, net, optimizer):
        self.net, self.optimizer = net, optimizer
        self.loss = Loss()
    def train(self):
        for _ in range(3):
            self.optimizer.zero_grad()
            self.loss(self.net(torch.ones(2, 4))).backward()
            self.optimizer.step()
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
trainer = Trainer(net, optimizer)
trainer.train()
"""


def test_of_a_module_that_the_optimizer_never_knew_the_order_is_not_blamed():
    assert [one for one in said(OWN_LOSS) if "optimizer" in one[1]] == [("wrong", "optimizer_forgotten", 19)]


LATE = """import torch
from torch import nn
net = nn.Sequential(nn.Linear(4, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net.append(nn.Linear(1, 1))
for _ in range(4):
    optimizer.zero_grad()
    net(torch.ones(2, 4)).pow(2).mean().backward()
    optimizer.step()
"""


def test_what_is_put_into_the_same_module_after_the_optimizer_is_late():
    assert [one for one in said(LATE) if "optimizer" in one[1]] == [("wrong", "optimizer_late", 5)]


REMADE = """import torch
from torch import nn
net = nn.Linear(4, 1)
ONCE
for epoch in range(4):
    AGAIN
    for _ in range(2):
        optimizer.zero_grad()
        net(torch.ones(8, 4)).pow(2).mean().backward()
        optimizer.step()
"""
ADAM = "optimizer = torch.optim.Adam(net.parameters())"


@pytest.mark.parametrize(
    ("once", "again", "found"),
    [
        ("pass", ADAM, [("note", "optimizer_again", 6)]),
        (ADAM, "pass", []),
        ("pass", "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)", []),
        ("pass", "net = nn.Linear(4, 1); " + ADAM, []),
        ("start = net.weight.detach().clone()", "net.weight.data.copy_(start); " + ADAM, []),
    ],
    ids=["again", "once", "forgetful", "of another model", "each round afresh"],
)
def test_an_optimizer_made_again_and_again_for_the_same_parameters_is_good_to_know(once, again, found):
    assert said(REMADE.replace("ONCE", once).replace("AGAIN", again)) == found


SCALED = """import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)
        self.scale = SCALE
    def forward(self, x):
        return self.fc(x * self.scale)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.ones(8, 4)).pow(2).mean().backward()
    optimizer.step()
"""


def test_what_was_computed_from_a_parameter_that_nobody_holds_is_found():
    assert said(SCALED.replace("SCALE", "nn.Parameter(torch.ones(1)).expand(4)")) == [("wrong", "optimizer_computed", 7)]
    assert said(SCALED.replace("SCALE", "nn.Parameter(torch.ones(1).expand(4).clone())")) == []


SWAPPED = """import torch
from torch import nn
net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(4):
    net(torch.randn(8, 4)).pow(2).mean().backward()
    optimizer.step()
    optimizer.zero_grad()
    if epoch == 2:
        RESET
"""


ADDED = """import torch
from torch import nn
def add(net):
    for part in net:
        part.extra = nn.Linear(2, 2)
        for one in part.parameters():
            one.requires_grad = False
        for one in part.extra.parameters():
            one.requires_grad = True
net = nn.ModuleList(nn.Sequential(nn.Linear(2, 2)) for _ in range(6))
optimizer = torch.optim.SGD([*net.parameters(), scale := torch.ones(1, requires_grad=True)], lr=0.1)
add(net)
for _ in range(6):
    optimizer.zero_grad()
    x = torch.ones(4, 2)
    for part in net:
        x = part.extra(part[0](x))
    (x * scale).sum().backward()
    optimizer.step()
"""


def test_all_that_an_optimizer_was_created_too_early_for_is_counted_though_some_was_added_in_a_gap():
    run = watched(Path("/program.py"), ADDED, Limits(acts=True, looks=600))
    assert run.has_gap(0, next(at for at, step in enumerate(run.steps) if step.line == 13))
    [found] = [one for one in find(run) if one.name == "optimizer"]
    assert (found.case, found.line, found.fields) == ("late", 12, {"name": "`net.*.extra.*` (12)"})


def test_what_replaces_a_parameter_late_is_found_by_the_one_step_that_is_left():
    reset = "net[0].weight = nn.Parameter(torch.randn(4, 4))"
    assert [(name, line) for _, name, line in said(SWAPPED.replace("RESET", reset))] == [("optimizer_replaced", 4)]
    again = f"{reset}; optimizer = torch.optim.SGD(net.parameters(), lr=0.01)"
    assert said(SWAPPED.replace("RESET", again)) == said(SWAPPED.replace("RESET", "pass")) == []


THAWED = """import torch
from torch import nn
net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
net[0].weight.requires_grad = False
optimizer = torch.optim.SGD([one for one in net.parameters() if one.requires_grad], lr=0.01)
for epoch in range(EPOCHS):
    if epoch == EPOCHS - 1:
        net[0].weight.requires_grad = True
    optimizer.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    optimizer.step()
"""


def test_what_is_thawed_late_is_found_by_its_one_gradient():
    assert [one[:2] for one in said(THAWED.replace("EPOCHS", "3"))] == [("wrong", "optimizer_forgotten")]


BY_TURNS = """import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)
    def loss(self, x):
        return self.fc(x).pow(2).mean()
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    trial = Net()
    trial.load_state_dict(net.state_dict())
    trial.loss(torch.ones(2, 4)).backward()
    optimizer.zero_grad()
    net.loss(torch.ones(2, 4)).backward()
    optimizer.step()
trial = Net()
trial.loss(torch.ones(2, 4)).backward()
"""


def test_a_copy_for_one_iteration_has_replaced_nothing():
    assert [one for one in said(BY_TURNS) if one[1] == "optimizer_replaced"] == []


AGAIN = """import torch
from torch import nn
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net = nn.Linear(4, 2)
for _ in range(3):
    net.zero_grad()
    net(torch.ones(5, 4)).pow(2).mean().backward()
    optimizer.step()
"""


def test_a_model_that_is_made_again_after_its_optimizer_is_told_once():
    assert said(AGAIN) == [("wrong", "optimizer_late", 5)]



def test_a_leaf_that_adds_losses_up_and_is_made_anew_each_time_is_not_said_to_be_forgotten():
    source = """import torch
from torch import nn
net = nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    total = torch.zeros(1, requires_grad=True)
    for i in range(3):
        total = total + net(torch.ones(2)).sum()
        optimizer.zero_grad()
        total.backward(retain_graph=True)
    optimizer.step()
"""
    assert "optimizer_forgotten" not in [name for _, name, _ in said(source)]


PAIR = """import torch
from torch import nn
encoder, decoder = nn.Linear(4, 2), nn.Linear(2, 4)
first = torch.optim.SGD(encoder.parameters(), lr=0.1)
second = torch.optim.SGD(HELD.parameters(), lr=0.1)
for _ in range(3):
    first.zero_grad()
    second.zero_grad()
    decoder(encoder(torch.ones(2, 4))).sum().backward()
    first.step()
    second.step()
"""


@pytest.mark.parametrize(("held", "severity"), [("encoder", {"wrong"}), ("decoder", set())])
def test_what_no_optimizer_holds_as_two_hold_the_same_is_wrong(held, severity):
    found = said(PAIR.replace("HELD", held))
    assert {kind for kind, name, _ in found if name == "optimizer_forgotten"} == severity


ADAPTIVE = """import torch
from torch import nn
class Loss(nn.Module):
    def __init__(self):
        super().__init__()
        self.logvar = nn.Parameter(torch.zeros(1))
    def forward(self, x, last):
        nll = (x / self.logvar.exp() + self.logvar).mean()
        scale = torch.autograd.grad(nll, ASKED, retain_graph=True)[0].norm().detach()
        return nll + scale
net, loss = nn.Linear(4, 1), Loss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss(net(torch.ones(2, 4)).pow(2), net.weight).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("asked", "found"), [("last", [("note", "optimizer_forgotten", 12)]), ("self.logvar", [])])
def test_a_leaf_that_grad_is_not_asked_for_is_no_input(asked, found):
    assert [one for one in said(ADAPTIVE.replace("ASKED", asked)) if one[1].startswith("optimizer")] == found


def test_a_leaf_in_a_list_that_grad_is_asked_for_is_an_input():
    source = ADAPTIVE.replace("        scale =", "        asked = [self.logvar]\n        scale =")
    assert [one for one in said(source.replace("ASKED", "asked")) if one[1].startswith("optimizer")] == []
    assert [one for one in said(source.replace("ASKED", "(last,)")) if one[1].startswith("optimizer")] == [
        ("note", "optimizer_forgotten", 13)
    ]


EMBEDDED = """import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(5, 4)
        self.head = nn.Linear(4, 1)
    def forward(self, x):
        return self.head(self.emb(x))
net = Net()
EARLY
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
LATE
for _ in range(4):
    optimizer.zero_grad()
    net(torch.arange(5)).pow(2).mean().backward()
    optimizer.step()
"""


@pytest.mark.parametrize("is_late", [True, False])
def test_a_frozen_tensor_that_took_the_place_of_what_an_optimizer_holds_is_found(is_late):
    change = "net.emb = nn.Embedding.from_pretrained(torch.randn(5, 4))"
    source = EMBEDDED.replace("LATE", change if is_late else "").replace("EARLY", "" if is_late else change)
    found = [one for one in said(source) if one[1] == "optimizer_replaced"]
    assert found == ([("wrong", "optimizer_replaced", 12)] if is_late else [])


def test_an_optimizer_of_an_earlier_stage_is_not_said_to_hold_what_a_later_one_replaced():
    stage = EMBEDDED.partition("net = Net()")[2]
    source = EMBEDDED + f"net = Net(){stage}"
    assert said(source.replace("EARLY", "net.emb.requires_grad_(False)").replace("LATE", "")) == []


REPLACED = """import torch
from torch import nn
class Evolving(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.layer, self.head = nn.Linear(3, 3), nn.Linear(3, 3, bias=False), nn.Linear(3, 1)
    def forward(self, x):
        new = self.cell(self.layer.weight)
        self.layer.weight = nn.Parameter(new)
        return self.head(self.layer(x))
net = Evolving()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.ones(2, 3)).pow(2).mean().backward()
    optimizer.step()
"""


def test_a_line_that_makes_a_parameter_of_what_it_computes_says_why_an_optimizer_holds_an_old_one():
    made = REPLACED, REPLACED.replace("nn.Parameter(new)", "nn.Parameter(torch.ones(3, 3))")
    kinds = ("no_gradient_parameter", "optimizer_replaced")
    found = [[one for one in said(source) if one[1] in kinds] for source in made]
    assert found == [[("wrong", "no_gradient_parameter", 9)], [("wrong", "optimizer_replaced", 12)]]
