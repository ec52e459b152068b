"""A softmax before a loss that takes one: found where it's so, and nowhere else."""

import pytest
from support.why import said

START = """import torch
from torch import nn
net = nn.Linear(4, 3)
x, y = torch.randn(8, 4), torch.randint(3, (8,))
"""


def test_a_softmax_before_cross_entropy_is_found():
    source = START + "p = net(x).softmax(1)\nloss = nn.functional.cross_entropy(p, y)\nloss.backward()\n"
    assert said(source) == [("wrong", "softmax", 5)]


@pytest.mark.parametrize(
    "lines, found",
    [
        (
            "p = torch.sigmoid(net(x))[:, 0]\nloss = nn.functional.binary_cross_entropy_with_logits(p, x[:, 0])",
            ("wrong", "softmax_sigmoid", 5),
        ),
        (
            "p = torch.sigmoid(net(x))\nq = torch.cat([p.gather(1, y[:, None])[:4], p[1:3, :1]])[:, 0]\nloss = nn.functional.binary_cross_entropy_with_logits(q, q.detach())",
            ("wrong", "softmax_sigmoid", 5),
        ),
        ("p = net(x)\nloss = nn.functional.nll_loss(p, y)", ("wrong", "softmax_nll", 6)),
        ("p = net(x).softmax(1)\nloss = nn.functional.nll_loss(p, y)", ("wrong", "softmax_nll", 6)),
        ("p = net(x).softmax(1)\nloss = nn.functional.kl_div(p, x[:, :3].softmax(1))", ("wrong", "softmax_kl", 6)),
    ],
)
def test_a_sigmoid_before_another_and_scores_without_a_logarithm_are_found(lines, found):
    assert said(f"{START}{lines}\nloss.backward()\n") == [found]


@pytest.mark.parametrize(
    "loss",
    [
        "loss = nn.functional.cross_entropy(net(x), y)",
        "p = net(x).softmax(1)\nloss = nn.functional.nll_loss(p.log(), y)",
        "loss = nn.functional.cross_entropy(net(x), net(x).softmax(1).detach())",
        "loss = nn.functional.nll_loss(net(x).log_softmax(1), y)",
        "loss = nn.functional.kl_div(net(x).log_softmax(1), x[:, :3].softmax(1))",
        "p = torch.sigmoid(net(x))[:, 0]\nloss = nn.functional.binary_cross_entropy(p, x[:, 0].sigmoid())",
    ],
)
def test_one_softmax_is_nothing_wrong(loss):
    assert said(f"{START}{loss}\nloss.backward()\n") == []


def test_a_relu_on_the_logits_is_found_where_it_is_applied():
    source = "import torch\nfrom torch import nn\nnet = nn.Linear(4, 3)\nx, y = torch.randn(8, 4), torch.arange(8) % 3\nLOGITS\n"
    source += "nn.functional.cross_entropy(logits, y).backward()\n"
    assert said(source.replace("LOGITS", "logits = net(x).relu()")) == [("wrong", "softmax_relu", 5)]
    assert said(source.replace("LOGITS", "logits = net(x.relu())")) == []


@pytest.mark.parametrize(("dim", "found"), [("0", [("wrong", "softmax_batch", 7)]), ("-2", [("wrong", "softmax_batch", 7)]), ("1", []), ("-1", [])])
def test_a_softmax_over_the_batch_before_a_loss_is_found(dim, found):
    source = f"""import torch
from torch import nn
net = nn.Linear(4, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    y = torch.log_softmax(net(torch.randn(8, 4)), dim={dim})
    nn.functional.nll_loss(y, torch.arange(8) % 3).backward()
    optimizer.step()
"""
    assert said(source) == found
