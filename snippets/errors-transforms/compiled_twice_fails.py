# raises: RuntimeError
import torch


@torch.compile(backend="aot_eager")
def f(x):
    return x**3


x = torch.tensor(3.0, requires_grad=True)
(g,) = torch.autograd.grad(f(x), x, create_graph=True)
torch.autograd.grad(g, x)
