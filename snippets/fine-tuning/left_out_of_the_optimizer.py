import torch
from torch import nn

torch.manual_seed(0)
body = nn.Linear(1, 1, bias=False)
head = nn.Linear(1, 1, bias=False)
nn.init.ones_(body.weight), nn.init.ones_(head.weight)
optimizer = torch.optim.SGD(head.parameters(), lr=0.0)
for step in range(3):
    optimizer.zero_grad()
    head(body(torch.ones(1, 1))).sum().backward()
    optimizer.step()
print(f"{head.weight.grad = }")
print(f"{body.weight.grad = }")
