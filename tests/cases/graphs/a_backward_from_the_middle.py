import torch

x = torch.tensor(3.0, requires_grad=True)
y = x**2
z = y.exp()
y.backward()
