import torch

x = torch.tensor(3.0, requires_grad=True)
y = x**2
d = y.detach().requires_grad_()
z = d * 2
z.backward()
