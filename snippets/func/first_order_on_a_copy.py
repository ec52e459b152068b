import copy

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(1, 1, bias=False)
nn.init.constant_(net.weight, 5.0)
x = torch.ones(1, 1)

fast = copy.deepcopy(net)
optimizer = torch.optim.SGD(fast.parameters(), lr=0.1)
fast(x).square().sum().backward()
optimizer.step()
optimizer.zero_grad()
(fast(x) - 3).square().sum().backward()
print(f"{net.weight.grad = }\n{fast.weight.grad = }")

for p, copied in zip(net.parameters(), fast.parameters()):
    p.grad = copied.grad
print(f"{net.weight.grad = }")
