import torch

x = torch.tensor(1.0, requires_grad=True)  # values: -1.0, -0.5, 0.0, 0.5, 1.0, 2.0
y = x.sqrt()  # or:
# | torch.where(x > 0, x.sqrt(), 0.0)
# | torch.where(x > 0, torch.where(x > 0, x, 1.0).sqrt(), 0.0)
y.backward()
print(f"{y = }")
print(f"{x.grad = }")
