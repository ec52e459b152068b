import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(1, 1)
layer.eval()
y = layer(torch.tensor([2.0]))
print(f"{layer.training = }")
print(f"{y.requires_grad = }")
y.backward()
print(f"{layer.weight.grad = }")
holds = layer.weight.grad is None
print(f"{holds = }")
