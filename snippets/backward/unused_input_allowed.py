import torch
from torch.autograd import grad

x = torch.tensor(2.0, requires_grad=True)
w = torch.tensor(3.0, requires_grad=True)
loss = x**2
print(f"{grad(loss, [x, w], allow_unused=True) = }")
loss = x**2
print(f"{grad(loss, [x, w], materialize_grads=True) = }")
loss = x**2
loss.backward()
print(f"{x.grad = }")
print(f"{w.grad = }")
