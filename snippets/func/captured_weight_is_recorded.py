import torch
from torch.func import grad

w = torch.tensor(2.0, requires_grad=True)
x = torch.tensor(3.0)
slope = grad(lambda x: w * x**2)(x)
print(f"{slope = }")
(by_w,) = torch.autograd.grad(slope, w)
print(f"{by_w = }")
