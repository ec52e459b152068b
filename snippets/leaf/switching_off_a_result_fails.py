# raises: RuntimeError
import torch

x = torch.tensor(3.0, requires_grad=True)
y = x * 2
z = x * 3
z.detach_()
print(f"{z.requires_grad = }")
print(f"{y.detach().requires_grad = }")
y.requires_grad = False
