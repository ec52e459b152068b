# raises: RuntimeError
import torch

w = torch.tensor(2.0, requires_grad=True)


def slope(x):
    (g,) = torch.autograd.grad(w**2 * x, w)
    return g


torch.vmap(slope)(torch.tensor([1.0, 3.0]))
