import torch

w = torch.tensor(2.0, requires_grad=True)
for n in (2, 4, 8):
    x = torch.ones(n)
    loss = w * x
    (of_mean,) = torch.autograd.grad(loss.mean(), w)
    loss = w * x
    ones = torch.ones_like(loss)
    (of_ones,) = torch.autograd.grad(loss, w, ones)
    print(f"{n = }, {of_mean = }, {of_ones = }")
