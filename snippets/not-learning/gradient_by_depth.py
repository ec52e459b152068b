from types import SimpleNamespace

import torch
from torch import nn


def norms(act, start):
    torch.manual_seed(0)
    layers = []
    for _ in range(8):
        linear = nn.Linear(32, 32)
        start(linear.weight)
        layers += [linear, act()]
    net = nn.Sequential(*layers)
    net(torch.randn(64, 32)).square().mean().backward()
    return [f"{p.grad.norm():.0e}" for p in net.parameters()][::2]


sigmoid = norms(nn.Sigmoid, nn.init.xavier_uniform_)
relu = norms(nn.ReLU, nn.init.kaiming_normal_)
large = norms(nn.ReLU, nn.init.normal_)
rows = {
    f"{i}": SimpleNamespace(sigmoid=s, relu=r, large=x)
    for i, (s, r, x) in enumerate(zip(sigmoid, relu, large))
}
print(f"{sigmoid[0] = }, {relu[0] = }, {large[0] = }")
