import torch


def grad_with(hook):
    x = torch.tensor(2.0, requires_grad=True)
    x.register_hook(hook)
    (5 * x).backward()
    print(f"{x.grad = }")
    return x.grad.item()


seen = []
looking = grad_with(lambda g: seen.append(g))
clipping = grad_with(lambda g: g.clamp(max=1))
holds = looking == clipping
print(f"{holds = }")
