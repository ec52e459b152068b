import torch

a = torch.ones(2, 1, requires_grad=True)
b = torch.ones(3, requires_grad=True)
z = (a * b).sum()
z.backward()
