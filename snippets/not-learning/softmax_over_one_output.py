import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 1), nn.Softmax(dim=1))
x = torch.randn(4, 2)
y = torch.tensor([[0.0], [1.0], [1.0], [0.0]])
out = net(x)
nn.functional.binary_cross_entropy(out, y).backward()
print(f"{out.flatten() = }")
print(f"{net[0].weight.grad = }")
