import torch

x = torch.ones(3, requires_grad=True)
y = x * 2
v = y[1:]
v.mul_(3)
z = y.sum()
z.backward()
