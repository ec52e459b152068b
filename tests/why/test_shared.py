"""Two parameters of an optimizer that are the same memory."""

from support.why import said

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


def test_one_parameter_with_two_names_is_nothing_wrong():
    assert said(TIED.replace("TIE", "self.out.weight = self.emb.weight")) == []
    assert said(TIED.replace("TIE", "self.out.weight.data = self.emb.weight.data.clone()")) == []


def test_parts_of_one_buffer_are_nothing_wrong():
    parts = "flat = torch.arange(40.0); self.emb.weight.data = flat[:20].view(5, 4); self.out.weight.data = flat[20:].view(5, 4)"
    assert said(TIED.replace("TIE", parts)) == []


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
