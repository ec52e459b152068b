import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(4, 2, requires_grad=True)
norm = nn.BatchNorm1d(3)  # or: nn.BatchNorm1d(3).eval() | nn.LayerNorm(3) | nn.GroupNorm(1, 3)
net = nn.Sequential(nn.Linear(2, 3), norm, nn.Tanh())
score = net(x).sum(dim=1)
(g,) = torch.autograd.grad(score[0], x)
print(f"{g.any(dim=1).tolist() = }")
