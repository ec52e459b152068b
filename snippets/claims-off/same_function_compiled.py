import torch


def cube(x):
    return x**3


def first(f, x):
    return torch.autograd.grad(f(x), x)


def second(f, x):
    (g,) = torch.autograd.grad(f(x), x, create_graph=True)
    try:
        return torch.autograd.grad(g, x)
    except RuntimeError as error:
        return error


compiled = torch.compile(cube, backend="aot_eager")
x = torch.tensor(2.0, requires_grad=True)
holds = []
for what in (first, second, lambda f, x: f(x).grad_fn.name()):
    eager, other = what(cube, x), what(compiled, x)
    print(f"{eager = }\n{other = }")
    holds.append(eager == other)
print(f"{holds = }")
