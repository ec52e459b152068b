import torch
from torch.func import hessian, vmap


def u(x):
    return x[..., 0] ** 2 * x[..., 1] + x[..., 1] ** 3


x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
(g,) = torch.autograd.grad(u(x).sum(), x, create_graph=True)
laplacian = 0
for i in range(2):
    (row,) = torch.autograd.grad(
        g[:, i].sum(), x, create_graph=True
    )
    laplacian = laplacian + row[:, i]
print(f"{laplacian.detach() = }")
print(f"{8 * x[:, 1].detach() = }")

same = vmap(lambda x: hessian(u)(x).trace())(x.detach())
print(f"{same = }")
