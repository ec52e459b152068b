import torch

x = torch.tensor(5.0, requires_grad=True)
z = torch.log(x**3) + torch.sqrt(x**2)
z.backward()
