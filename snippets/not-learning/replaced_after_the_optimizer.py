import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
net[1] = nn.Linear(1, 3)

before = {name: p.clone() for name, p in net.named_parameters()}
net(torch.ones(1, 1)).sum().backward()
optimizer.step()
moved = [n for n, p in net.named_parameters() if p.ne(before[n]).all()]
print(f"{moved = }")
print([name for name, p in net.named_parameters() if p.grad is None])
