import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(1, 1, bias=False)
optimizer = torch.optim.SGD(net.parameters(), lr=0.25)
net.weight = nn.Parameter(torch.full((1, 1), 2.0))
net(torch.ones(1)).backward()
optimizer.step()
print(f"{net.weight.grad.item() = }")
print(f"{net.weight.item() = }")
