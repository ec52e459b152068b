import torch
from torch.func import grad, jvp


def f(x):
    return x[0] ** 2 * x[1]


x = torch.tensor([2.0, 3.0], requires_grad=True)
v = torch.tensor([1.0, 10.0])

(g,) = torch.autograd.grad(f(x), x, create_graph=True)
(twice_back,) = torch.autograd.grad(g, x, v)
print(f"{twice_back = }")

_, forward_over_back = jvp(grad(f), (x.detach(),), (v,))
print(f"{forward_over_back = }")
