import torch

x = torch.tensor(3.0, requires_grad=True)
y = x**2
y.retain_grad()
z = 2 * y
z.backward()
