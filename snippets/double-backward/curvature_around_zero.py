import torch
from torch.autograd import grad

x = torch.tensor(0.25, requires_grad=True)  # values: -1.0, -0.25, 0.0, 0.25, 1.0
y = x.abs() ** 1.5  # or: x.abs() ** 3 | torch.sinc(x)
(first,) = grad(y, x, create_graph=True)
(second,) = grad(first, x)
print(f"{first.item() = :.3f}")
print(f"{second.item() = :.3f}")
