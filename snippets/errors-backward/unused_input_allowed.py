import torch
from torch.autograd import grad

x = torch.tensor(2.0, requires_grad=True)
w = torch.tensor(3.0, requires_grad=True)
loss = x**2 * w
print(f"{grad(loss, w) = }")
loss = x**2
print(f"{grad(loss, w, allow_unused=True) = }")
loss = x**2
print(f"{grad(loss, w, materialize_grads=True) = }")
