# raises: RuntimeError
import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x * 2
first = y[0]
print(f"{first.detach() = }")
first.detach_()
