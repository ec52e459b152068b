# raises: RuntimeError
import torch

x = torch.tensor(2.0, requires_grad=True)
y = x.exp()  # or: x.log() | x * 3
y += 1  # or: y = y + 1
print(f"{y = }")
y.backward()
print(f"{x.grad = }")
