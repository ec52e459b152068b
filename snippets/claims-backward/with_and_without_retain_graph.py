import torch


def grads(keep):
    x = torch.tensor(3.0, requires_grad=True)
    seen = []
    for _ in range(2):
        (x**2).backward(retain_graph=keep)
        seen.append(x.grad.item())
    return seen


print(f"{grads(True) = }")
print(f"{grads(False) = }")
holds = grads(True) != grads(False)
print(f"{holds = }")
