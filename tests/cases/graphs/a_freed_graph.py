import torch

x = torch.tensor(3.0, requires_grad=True)
z = (x**2).exp()
z.backward()
