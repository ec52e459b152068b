# raises: RuntimeError
import torch

bias = torch.zeros(1).expand(3)
print(f"{bias.stride() = }")
bias[0] = 1.0
print(f"{bias = }")
bias += torch.tensor([1.0, 2.0, 3.0])
