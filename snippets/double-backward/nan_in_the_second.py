import torch


class At:
    def __init__(self, f, x):
        x = torch.tensor(x, requires_grad=True)
        grad = torch.autograd.grad
        (g,) = grad(f(x).sum(), x, create_graph=True)
        (second,) = grad(g.sum(), x)
        self.first, self.second = g[0].item(), second[0].item()


def norm(x):
    return torch.linalg.vector_norm(x)


points = {
    "norm(x)": At(norm, [0.0, 0.0]),
    "x.abs() ** 1.5": At(lambda x: x.abs() ** 1.5, [0.0]),
    "x ** 1.5": At(lambda x: x**1.5, [0.0]),
    "sinc(x)": At(torch.sinc, [0.0]),
    "norm(x) ** 2": At(lambda x: norm(x) ** 2, [0.0, 0.0]),
    "(x * x).sum()": At(lambda x: x * x, [0.0, 0.0]),
    "x.abs() ** 3": At(lambda x: x.abs() ** 3, [0.0]),
    "huber_loss(x, 0)": At(
        lambda x: torch.nn.functional.huber_loss(x, 0 * x), [0.0]
    ),
}
print([name for name, at in points.items() if at.second != at.second])
