import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 2), nn.Tanh(), nn.Linear(2, 1))
for p in net.parameters():
    nn.init.zeros_(p)  # or: nn.init.constant_(p, 0.5) | nn.init.normal_(p)
optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
x = torch.tensor([[-1.0], [0.0], [2.0]])
for _ in range(300):
    optimizer.zero_grad()
    loss = (net(x) - x.abs()).square().mean()
    loss.backward()
    optimizer.step()
print(f"{loss.item() = :.4f}")
print(f"{net[0].weight.flatten() = }")
