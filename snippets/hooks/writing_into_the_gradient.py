import torch


def returns(g):
    return g * 100


def writes(g):
    g *= 100


def grads_with(hook):
    a = torch.ones(2, requires_grad=True)
    b = torch.ones(2, requires_grad=True)
    a.register_hook(hook)
    (torch.tensor([1.0, 2.0]) * (a + b)).sum().backward()
    return a.grad.tolist(), b.grad.tolist()


print(f"{grads_with(returns) = }")
print(f"{grads_with(writes) = }")
