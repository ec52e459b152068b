# raises: RuntimeError
import torch

x = torch.tensor([1.0], requires_grad=True)
y = (x * 3).expand(2)
z = y + 1
print(f"{z = }")
y += 1
