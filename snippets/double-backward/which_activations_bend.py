import torch
from torch import nn

torch.manual_seed(0)
x = torch.tensor([[1.0, 2.0]], requires_grad=True)
act = nn.ReLU()  # or: nn.LeakyReLU() | nn.Tanh() | nn.SiLU() | nn.Softplus()
net = nn.Sequential(nn.Linear(2, 8), act, nn.Linear(8, 1))
(g,) = torch.autograd.grad(net(x), x, create_graph=True)
(second,) = torch.autograd.grad(g.sum(), x, retain_graph=True)
g.square().sum().backward()
learns = bool(net[0].weight.grad.any())
print(f"{second = }\n{learns = }")
