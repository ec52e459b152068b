import torch
from torch import nn

torch.manual_seed(0)
x = torch.tensor([0.0, 0.0, 0.0], requires_grad=True)
y = x.sigmoid()
y = y / 2
y = nn.Dropout(0.5)(y)
y.sum().backward()
print(f"{y = }")
print(f"{x.grad = }")
