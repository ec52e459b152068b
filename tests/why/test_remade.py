"""Parameters that are made anew in each forward pass."""

import pytest
from support.why import said

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
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    optimizer.zero_grad()
    net(torch.ones(2, 4)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("gate", "use"), [("gate = nn.Linear(4, 4)", "gate"), ("pass", "nn.Linear(4, 4)")], ids=["named", "unnamed"]
)
def test_a_layer_made_in_forward_is_found(gate, use):
    line = 10 if gate != "pass" else 11
    assert ("wrong", "remade", line) in said(SOURCE.replace("GATE", gate).replace("USE", use))


@pytest.mark.parametrize(
    ("gate", "use"),
    [
        ("pass", "self.gate"),
        ("gate = copy.deepcopy(self.gate)", "gate"),
        ("noise = torch.ones(1, 4, requires_grad=True)", "(x * noise).add"),
    ],
    ids=["registered", "copied", "data"],
)
def test_what_is_registered_copied_or_data_is_not_called_remade(gate, use):
    found = said(SOURCE.replace("GATE", gate).replace("USE", use))
    assert not [one for one in found if one[1] == "remade"]


def test_a_model_of_each_round_that_an_optimizer_holds_is_nothing_wrong():
    assert said(
        "import torch\nfrom torch import nn\ndef fit():\n    net = nn.Linear(4, 1)\n    sgd = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "    for _ in range(3):\n        sgd.zero_grad()\n        net(torch.ones(2, 4)).sum().backward()\n        sgd.step()\n"
        "for _ in range(3):\n    fit()\n"
    ) == []
