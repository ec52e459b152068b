# raises: RuntimeError
import torch

x = torch.tensor(2.0, requires_grad=True)
y = x**2
z = y**2
y.retain_grad()
z.backward()
print(f"{y.grad = }")
print(f"{x.grad = }")
z.backward()
