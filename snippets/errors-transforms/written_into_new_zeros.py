import torch


def f(x):
    out = x.new_zeros(2)
    out[0] = x.sum()
    return out


x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
print(f"{torch.vmap(f)(x) = }")
