import torch
from torch import nn
from torch.func import functional_call, grad

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)


def loss(weights, x, y):
    out = functional_call(net, weights, (x,))
    return (out - y).square().mean()


for step in range(101):
    slope = torch.rand(()) * 4 - 2 if step % 100 else 2.0
    x = torch.rand(10, 1)
    weights = dict(net.named_parameters())
    grads = grad(loss)(weights, x[:5], slope * x[:5])
    adapted = {k: w - 0.5 * grads[k] for k, w in weights.items()}
    before = loss(weights, x[5:], slope * x[5:]).item()
    after = loss(adapted, x[5:], slope * x[5:])
    optimizer.zero_grad()
    after.backward()
    optimizer.step()
    if step % 100 == 0:
        print(f"{step}: {before:.1f} -> {after.item():.1f}")
