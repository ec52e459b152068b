import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(16, 3)
y = x.sum(1)

first, last = nn.Linear(3, 8), nn.Linear(8, 1)
optimizer = torch.optim.SGD(last.parameters(), lr=0.1)
losses = []
for step in range(7):
    out = last(first(x).relu())
    loss = ((out.squeeze(1) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
    losses.append(loss)
print(", ".join(f"{loss:.2f}" for loss in losses))
