import torch
from torch.autograd import grad
from torch.autograd.functional import jacobian


def f(x):
    return torch.stack([x[0] * x[1], 5 * x[1]])


x = torch.tensor([2.0, 3.0], requires_grad=True)
print(f"{jacobian(f, x) = }")
print(f"{grad(f(x), x, torch.tensor([1.0, 0.0])) = }")
print(f"{grad(f(x), x, torch.tensor([0.0, 1.0])) = }")
print(f"{grad(f(x), x, torch.ones(2)) = }")
