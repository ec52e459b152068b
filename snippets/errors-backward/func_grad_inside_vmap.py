import torch
from torch.func import grad

w = torch.tensor(2.0)


def loss(w, x):
    return w**2 * x


x = torch.tensor([1.0, 3.0])
print(torch.vmap(grad(loss), in_dims=(None, 0))(w, x))
