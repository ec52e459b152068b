import torch
from torch.autograd import Function


class Double(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2  # or: g * 2 if g > 0 else g


def custom(x):
    return Double.apply(x)


def step(x):
    (x * 2).backward()


for f in (custom, step):
    try:
        g = torch.compile(f, backend="aot_eager", fullgraph=True)
        y = g(torch.tensor(3.0, requires_grad=True))
        print(f"{f.__name__}: {y.grad_fn.name()}")
    except RuntimeError as error:
        print(f"{f.__name__}: {error}".splitlines()[0])
