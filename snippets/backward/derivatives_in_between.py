import torch
from torch.autograd import grad

x = torch.tensor(5.0, requires_grad=True)
y = x**3
w = x**2
z = torch.log(y) + torch.sqrt(w)
print(f"{grad(z, [y, w]) = }")
print(f"{grad(y, x) = }")
print(f"{grad(w, x) = }")
print(f"{x.grad = }")
