# raises: ValueError
import torch

w = torch.ones(3, requires_grad=True) * 0.01
print(f"{w = }")
torch.optim.SGD([w], lr=0.1)
