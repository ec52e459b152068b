import torch


def f(x):
    h = x * x
    return h, h.exp()


x = torch.tensor(1.0, requires_grad=True)
for g in (f, torch.compile(f, backend="aot_eager")):
    h, y = g(x)
    print(torch.autograd.grad(y, h, allow_unused=True))
