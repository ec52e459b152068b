import torch

x = torch.tensor(3.0, requires_grad=True)
z = x**2
z.backward(retain_graph=True)
z.backward()
