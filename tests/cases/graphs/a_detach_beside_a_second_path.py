import torch

x = torch.tensor(3.0, requires_grad=True)
y = x**2
d = y.detach()
z = d * x + y
z.backward()
