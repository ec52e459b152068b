# raises: RuntimeError
import torch

x = torch.tensor(7.0, requires_grad=True)
y = x // 2
print(f"{y.requires_grad = }")
y.backward()
