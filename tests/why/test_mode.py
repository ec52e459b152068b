"""Dropout that eval() doesn't reach."""

from support.why import said

SOURCE = """import torch
from torch import nn
x, y = torch.randn(8, 4), torch.randn(8, 1)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drops = LIST(nn.Dropout(0.5) for _ in range(2))
        self.head = nn.Linear(4, 1)
    def forward(self, x):
        return self.head(self.drops[1](self.drops[0](x)))
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    net.train()
    optimizer.zero_grad()
    (net(x) - y).pow(2).mean().backward()
    optimizer.step()
    SWITCH
    with torch.no_grad():
        score = net(x)
"""


def test_dropout_in_a_plain_list_is_told_from_a_forgotten_eval():
    assert said(SOURCE.replace("LIST", "list").replace("SWITCH", "net.eval()")) == [("wrong", "mode_unreached", 20)]
    assert said(SOURCE.replace("LIST", "nn.ModuleList").replace("SWITCH", "pass")) == [("wrong", "mode_dropout", 20)]
    assert said(SOURCE.replace("LIST", "nn.ModuleList").replace("SWITCH", "net.eval()")) == []


def test_a_functional_batch_norm_that_is_told_to_train_is_nothing_wrong():
    source = (
        "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\nx = torch.randn(8, 4)\n"
        "net = nn.Linear(4, 4)\nmean, var = torch.zeros(4), torch.ones(4)\n"
        "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for _ in range(4):\n    optimizer.zero_grad()\n    out = F.batch_norm(net(x), mean, var, training=True)\n"
        "    out[:, 0].exp().mean().backward()\n    optimizer.step()\n"
        "with torch.no_grad():\n    out = F.batch_norm(net(x), mean, var, training=True)\n"
    )
    assert [one for one in said(source) if "mode" in one[1]] == []
