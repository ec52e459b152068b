import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(16, 2, requires_grad=True)
penalties = []
for step in range(30):
    (g,) = torch.autograd.grad(net(x).sum(), x, create_graph=True)
    penalty = (g.norm(dim=1) - 1).square().mean()
    penalties.append(penalty.item())
    optimizer.zero_grad()
    penalty.backward()
    optimizer.step()
print(f"{penalties[0]:.1f} -> {penalties[-1]:.1f}")
holds = penalties[-1] > 0.5 * penalties[0]
print(f"{holds = }")
