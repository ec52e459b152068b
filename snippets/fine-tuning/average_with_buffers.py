import copy

import torch
from torch import nn

model = nn.BatchNorm1d(1)
average = copy.deepcopy(model).requires_grad_(False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
x = torch.tensor([[1.0], [3.0]])
(model(x) * torch.tensor([[-1.0], [1.0]])).sum().backward()
optimizer.step()
with torch.no_grad():
    for a, p in zip(average.parameters(), model.parameters()):
        a.lerp_(p, 0.5)
print(f"{model.weight.item() = :.2f} {average.weight.item() = :.2f}")
print(f"{average.running_mean = }")
for a, b in zip(average.buffers(), model.buffers()):
    a.copy_(b)
print(f"{average.running_mean = }")
