import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 2), nn.Tanh(), nn.Linear(2, 1))
for p in net.parameters():
    nn.init.zeros_(p)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.tensor([[1.0], [2.0]])
for _ in range(100):
    optimizer.zero_grad()
    (net(x) - x).square().mean().backward()
    optimizer.step()
moved = [name for name, p in net.named_parameters() if p.any()]
print(f"{moved = }")
print(f"{net(x).flatten() = }")
