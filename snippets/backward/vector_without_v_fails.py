# raises: RuntimeError
import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = torch.stack([x[0] * x[1], 5 * x[1]])
print(f"{y = }")
y.backward()
