"""Parameters that are made anew in each forward pass."""

from pathlib import Path

import pytest
from support.why import said, watched

from weaver.why.findings import find

TRAINING = """net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    optimizer.zero_grad()
    net(torch.ones(2, 4)).sum().backward()
    optimizer.step()
"""
SOURCE = """import copy
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.gate = nn.Linear(4, 4)
    def forward(self, x):
        GATE
        return self.fc(x) * USE(x).sigmoid()
"""


@pytest.mark.parametrize(
    ("gate", "use"), [("gate = nn.Linear(4, 4)", "gate"), ("pass", "nn.Linear(4, 4)")], ids=["named", "unnamed"]
)
def test_a_layer_made_in_forward_is_found(gate, use):
    line = 10 if gate != "pass" else 11
    assert ("wrong", "remade", line) in said(SOURCE.replace("GATE", gate).replace("USE", use) + TRAINING)


@pytest.mark.parametrize(
    ("gate", "use"),
    [
        ("pass", "self.gate"),
        ("gate = copy.deepcopy(self.gate)", "gate"),
        ("noise = torch.ones(1, 4, requires_grad=True)", "(x * noise).add"),
        ("x = torch.autograd.Variable(x, requires_grad=True)", "self.gate"),
    ],
    ids=["registered", "copied", "data", "variable"],
)
def test_what_is_registered_copied_or_data_is_not_called_remade(gate, use):
    found = said(SOURCE.replace("GATE", gate).replace("USE", use) + TRAINING)
    assert not [one for one in found if one[1] == "remade"]


def test_a_model_of_each_round_that_an_optimizer_holds_is_nothing_wrong():
    assert said(
        "import torch\nfrom torch import nn\ndef fit():\n    net = nn.Linear(4, 1)\n    sgd = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "    for _ in range(3):\n        sgd.zero_grad()\n        net(torch.ones(2, 4)).sum().backward()\n        sgd.step()\n"
        "for _ in range(3):\n    fit()\n"
    ) == []


LISTED = """import torch
from torch import nn
class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
    def forward(self, x):
        return self.fc(x)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 1)
        self.parts = [Part() for _ in range(2)]
    def forward(self, x):
        return self.out(sum(part(x) for part in self.parts))
"""


def test_modules_that_are_made_one_after_another_and_used_together_are_not_remade():
    assert said(LISTED + TRAINING) == [("wrong", "optimizer_list", 13)]


HEADS = """import torch
from torch import nn
def main():
    net, head = nn.Linear(4, 4), None
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        net.head = None
        net.head = nn.Linear(4, 1)
        for _ in range(2):
            optimizer.zero_grad()
            net.head(net(torch.randn(2, 4))).pow(2).sum().backward()
            optimizer.step()
main()
"""


def test_of_what_takes_the_place_of_another_only_the_last_counts():
    run = watched(Path("/program.py"), HEADS)
    lost = [one.fields for one in find(run) if one.name == "optimizer"]
    assert [fields["name"] for fields in lost] == ["`net.head.*` (2)"]


SCORED = """import torch
from torch import nn
class Conv(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(4, 1))
        nn.init.normal_(self.weight)
    def forward(self, x):
        return x @ self.weight
class Pool(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = Conv()
    def forward(self, x):
        return self.conv(x).sigmoid() * x
class Edges(nn.Module):
    def forward(self, x):
        score = Pool()
        return score(x.data)
pool, edges = Pool(), Edges()
optimizer = torch.optim.Adam(pool.parameters(), lr=0.1)
for _ in range(4):
    optimizer.zero_grad()
    edges(pool(torch.ones(2, 4))).sum().backward()
    optimizer.step()
"""


def test_the_line_that_makes_a_module_of_ones_own_is_told_and_no_optimizer_is_said_to_hold_it():
    found = [(name, line) for severity, name, line in said(SCORED) if severity == "wrong"]
    assert found == [("remade", 18), ("no_gradient_cut", 19)]
