"""Two parameters of an optimizer that are the same memory."""

from pathlib import Path

from support.why import said, watched

from weaver.why.findings import find

TIED = """import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.out = nn.Embedding(5, 4), nn.Linear(4, 5, bias=False)
        TIE
    def forward(self, x):
        return self.out(self.emb(x))
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.arange(5)).pow(2).mean().backward()
    optimizer.step()
"""


def test_two_parameters_on_one_storage_are_found_where_they_are_made():
    assert said(TIED.replace("TIE", "self.out.weight.data = self.emb.weight.data")) == [("wrong", "shared", 7)]


def test_of_two_parameters_on_one_storage_both_are_named():
    [one] = find(watched(Path("/program.py"), TIED.replace("TIE", "self.out.weight.data = self.emb.weight.data")))
    assert one.fields == {"name": "net.out.weight", "leaf": "net.emb.weight"}


def test_one_parameter_with_two_names_is_nothing_wrong():
    assert said(TIED.replace("TIE", "self.out.weight = self.emb.weight")) == []
    assert said(TIED.replace("TIE", "self.out.weight.data = self.emb.weight.data.clone()")) == []


def test_parts_of_one_buffer_are_nothing_wrong():
    parts = "flat = torch.arange(40.0); self.emb.weight.data = flat[:20].view(5, 4); self.out.weight.data = flat[20:].view(5, 4)"
    assert said(TIED.replace("TIE", parts)) == []


ASSIGNED = """import torch
from torch import nn
teacher, student = nn.Linear(4, 2), nn.Linear(4, 2)
def train(net):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        net(torch.ones(5, 4)).pow(2).mean().backward()
        optimizer.step()
train(teacher)
student.load_state_dict(teacher.state_dict(), assign=ASSIGN)
train(student)
"""


def test_parameters_that_take_over_the_storage_of_others_are_told_once_with_what_that_does():
    assert said(ASSIGNED.replace("ASSIGN", "True")) == [("wrong", "shared_apart", 11)]
    assert said(ASSIGNED.replace("ASSIGN", "False")) == []


REPEATED = """import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(LAYERS)
    def forward(self, x):
        return self.layers(x)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.ones(5, 4)).pow(2).mean().backward()
    optimizer.step()
"""


def test_a_list_that_repeats_one_module_is_found():
    assert said(REPEATED.replace("LAYERS", "*[nn.Linear(4, 4)] * 3")) == [("wrong", "shared_repeated", 6)]
    assert said(REPEATED.replace("LAYERS", "*[nn.Linear(4, 4) for _ in range(3)]")) == []


def test_a_target_that_takes_over_the_storage_of_what_is_trained_is_found():
    source = ASSIGNED.replace("student.load_state_dict(teacher.state_dict(), assign=ASSIGN)\n", "").replace(
        "train(student)", "for mine, its in zip(student.parameters(), teacher.parameters()):\n    mine.DATA"
    )
    assert ("wrong", "shared_apart", 12) in said(source.replace("DATA", "data = its.data") + "train(teacher)\n")
    assert said(source.replace("DATA", "data.copy_(its.data)") + "train(teacher)\n") == []


REPLACED = """import torch
from torch import nn
def wrap(layer):
    weight = nn.Parameter(layer.weight.data)
    AWAY
    layer.register_parameter("weight_bar", weight)
    return layer
net = wrap(nn.Linear(4, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    nn.functional.linear(torch.ones(5, 4), net.weight_bar, net.bias).pow(2).mean().backward()
    optimizer.step()
"""


def test_a_parameter_that_gives_its_storage_to_the_one_that_replaces_it_is_nothing_wrong():
    assert said(REPLACED.replace("AWAY", 'del layer._parameters["weight"]')) == []
    assert ("wrong", "shared", 4) in said(REPLACED.replace("AWAY", ""))


PAIR = """import torch
from torch import nn
class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(4, 4), nn.Linear(4, 4)
        self.two.weight.TIE
        self.heads = nn.ModuleList([nn.Linear(4, 1), nn.Linear(4, 1)])
    def forward(self, x):
        return self.heads[0](self.one(x)) + self.heads[1](self.two(x))
net = Pair()
optimizer = torch.optim.SGD({p.data_ptr(): p for p in reversed([*net.parameters()])}.values(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.ones(5, 4)).pow(2).mean().backward()
    optimizer.step()
"""


def test_of_parameters_on_one_storage_the_one_that_no_optimizer_holds_is_named():
    found = find(watched(Path("/program.py"), PAIR.replace("TIE", "data = self.one.weight.data")))
    [one] = [one for one in found if one.name == "shared"]
    assert (one.case, one.line) == ("alone", 7)
    assert one.fields == {"name": "net.two.weight", "leaf": "net.one.weight", "call": "net.two.weight"}


def test_parameters_with_storages_of_their_own_are_nothing_wrong_though_an_optimizer_holds_only_one():
    found = find(watched(Path("/program.py"), PAIR.replace("TIE", "data = self.one.weight.data.clone()")))
    assert not [one for one in found if one.name == "shared"]
