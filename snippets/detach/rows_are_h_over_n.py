import torch
from torch import nn

torch.manual_seed(0)
h = torch.tensor([[1.0, 2.0, 3.0]])
layer = nn.Linear(3, 2)
layer(h).mean().backward()
print(f"{layer.weight.grad = }")
print(f"{h / 2 = }")
