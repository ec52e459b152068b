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


columns = {
    "sigmoid": norms(nn.Sigmoid, nn.init.xavier_uniform_),
    "relu": norms(nn.ReLU, nn.init.kaiming_normal_),
    "relu, std 1": norms(nn.ReLU, nn.init.normal_),
}
rows = {}
for i in range(8):
    cells = {name: column[i] for name, column in columns.items()}
    rows[f"layer {i + 1}"] = cells
for name, column in columns.items():
    print(name, *column)
