import torch

x = torch.tensor(7.0, requires_grad=True)
zero = torch.div(x, 2, rounding_mode="floor")
half = x / 2
through = half + (half.floor() - half).detach()
for y in (zero, through):
    print(f"{y.item()}, {torch.autograd.grad(y, x)[0].item()}")
