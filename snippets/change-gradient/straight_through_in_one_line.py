import torch

x = torch.tensor([0.75, -0.75, 1.5], requires_grad=True)
y = x + (torch.round(x) - x).detach()  # or:
# | x + (torch.round(x) - x)
# | torch.round(x)
# | x.detach() + (torch.round(x) - x).detach() raises RuntimeError
y.sum().backward()
print(f"{y = }")
print(f"{x.grad = }")
