import torch


def f(x):
    return x**2, x.sqrt()


x = torch.tensor(0.0, requires_grad=True)
for g in (f, torch.compile(f, backend="aot_eager")):
    print(torch.autograd.grad(g(x)[0], x))
