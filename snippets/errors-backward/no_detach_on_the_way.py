import torch

w = torch.tensor(3.0, requires_grad=True)
v = torch.tensor(2.0, requires_grad=True)
h = w * v
cut = h.detach() * v
whole = h * v
print(f"{torch.autograd.grad(cut, w, allow_unused=True) = }")
print(f"{torch.autograd.grad(whole, w) = }")
