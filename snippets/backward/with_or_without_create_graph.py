import torch
from torch.autograd import grad

x = torch.tensor(2.0, requires_grad=True)
y = x**3  # or: x**2 | 3 * x raises RuntimeError
(first,) = grad(y, x, create_graph=True)  # or:
# | grad(y, x) raises RuntimeError
# | grad(y, x, retain_graph=True) raises RuntimeError
print(f"{first = }")
(second,) = grad(first, x)
print(f"{second = }")
