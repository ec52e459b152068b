import torch

x = torch.tensor(3.0)
w = torch.tensor(2.0, requires_grad=True)
z = x * w
z.backward()
