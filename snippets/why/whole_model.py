import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(16, 3)
y = x.sum(1)

net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
losses = []
for step in range(7):
    out = net(x)
    loss = ((out.squeeze(1) - y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss)
print(", ".join(f"{loss:.2f}" for loss in losses))
