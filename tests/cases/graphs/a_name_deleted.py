import torch

x = torch.tensor(5.0, requires_grad=True)
y = x**3
z = torch.log(y)
del y
z.backward()
