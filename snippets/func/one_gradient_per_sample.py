import torch
from torch.func import grad, vmap


def loss(w, x, y):
    return (w @ x - y) ** 2


w = torch.tensor([1.0, 2.0])
x = torch.tensor([[1.0, 1.0], [2.0, 0.0]])
y = torch.tensor([2.0, 4.0])

for one_x, one_y in zip(x, y):
    print(f"{grad(loss)(w, one_x, one_y) = }")

per_sample = vmap(grad(loss), in_dims=(None, 0, 0))
print(f"{per_sample(w, x, y) = }")
print(f"{per_sample(w, x, y).mean(dim=0) = }")
