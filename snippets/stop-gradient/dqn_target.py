import torch

q = torch.tensor([2.0, 6.0], requires_grad=True)
now, following, reward, discount = 0, 1, 1.0, 0.5


def loss(stop):
    target = reward + discount * q[following]
    if stop:
        target = target.detach()
    return (q[now] - target) ** 2


fixed, moving = loss(stop=True), loss(stop=False)
print(f"{fixed.item() = }")
print(f"{moving.item() = }")
print(f"{torch.autograd.grad(fixed, q) = }")
print(f"{torch.autograd.grad(moving, q) = }")
