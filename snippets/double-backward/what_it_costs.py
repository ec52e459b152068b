import torch
from torch.func import grad, hessian, jvp, vjp
from torch.utils._python_dispatch import TorchDispatchMode


class Count(TorchDispatchMode):
    elements = 0

    def __torch_dispatch__(self, f, types, args=(), kwargs=None):
        result = f(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor) and not f.is_view:
            self.elements += result.numel()
        return result


def f(x):
    return (x.sin() * x.roll(1)).exp().sum()


x, v = torch.linspace(0, 1, 50), torch.ones(50)
ways = {"f": lambda: f(x), "gradient": lambda: grad(f)(x)}
ways["H v, back over back"] = lambda: vjp(grad(f), x)[1](v)
ways["H v, forward over back"] = lambda: jvp(grad(f), (x,), (v,))
ways["all of H"] = lambda: hessian(f)(x)
costs = {}
for name, way in ways.items():
    with Count() as count:
        way()
    costs[name] = count.elements
print(costs)
