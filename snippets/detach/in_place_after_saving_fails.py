# raises: RuntimeError
import torch

x = torch.tensor(2.0, requires_grad=True)
y = x * 3
z = y**2
y.detach_()
print(f"{z = }")
z.backward()
