import torch

x = torch.tensor(2.0, requires_grad=True)
q = torch.tensor(3.0, requires_grad=True)
z = x**q
z.backward()
