import torch

x = torch.tensor(3.0, requires_grad=True)
z = x * x
z.backward()
