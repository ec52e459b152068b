import torch

bias = torch.zeros(1).expand(3).clone()
bias += torch.tensor([1.0, 2.0, 3.0])
print(f"{bias = }")
