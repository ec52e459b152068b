import torch
from torch import nn

torch.manual_seed(0)
layer1 = nn.Linear(4, 4)
layer2 = nn.Linear(4, 3)
layer3 = nn.Linear(3, 2)
h = layer2(layer1(torch.ones(1, 4)))
out = layer3(h.detach())
out.mean().backward()
print(f"{layer1.weight.grad = }")
print(f"{layer2.weight.grad = }")
print(f"{layer3.weight.grad = }")
