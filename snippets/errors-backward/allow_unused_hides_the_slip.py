import torch
from torch.autograd import grad

x = torch.tensor([2.0, 3.0], requires_grad=True)
loss = (x**2).sum()
print(f"{grad(loss, x[0], allow_unused=True) = }")
loss = (x**2).sum()
print(f"{grad(loss, x)[0][0] = }")
