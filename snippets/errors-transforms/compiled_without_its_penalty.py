import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(2, 1)
fast = torch.compile(net, backend="aot_eager")
x = torch.ones(1, 2, requires_grad=True)

loss = fast(x).square().sum()
(g,) = torch.autograd.grad(net(x).sum(), x, create_graph=True)
(loss + g.square().sum()).backward()
print(f"{net.weight.grad.shape = }")
