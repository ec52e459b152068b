import torch

x = torch.tensor(1.0, requires_grad=True)
x.register_hook(lambda g: g * 2)
x.register_hook(lambda g: g + 1)

(3 * x).backward()
print(f"{x.grad = }")
