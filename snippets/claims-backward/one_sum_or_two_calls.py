import torch


def grad(together, hook=lambda g: g):
    w = torch.tensor(2.0, requires_grad=True)
    w.register_hook(hook)
    shared = w**2
    a, b = 3 * shared, 4 * shared
    if together:
        (a + b).backward()
    else:
        a.backward(retain_graph=True)
        b.backward()
    return w.grad.item()


def clip(g):
    return g.clamp(max=10)


print(f"{grad(True) = }, {grad(False) = }")
print(f"{grad(True, clip) = }, {grad(False, clip) = }")
holds = [grad(True) != grad(False)]
holds.append(grad(True, clip) != grad(False, clip))
print(f"{holds = }")
