import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
a, b, c = x.unbind()
z = a * c
z.backward()
