import torch
from torch import nn

with torch.no_grad():
    x = torch.tensor(2.0, requires_grad=True)
    q = nn.Parameter(torch.tensor(3.0))
    y = x**q
print(f"{x.requires_grad = }")
print(f"{q.requires_grad = }")
print(f"{y.requires_grad = }")
(x**q).backward()
print(f"{x.grad = }")
