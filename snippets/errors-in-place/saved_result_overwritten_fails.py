# raises: RuntimeError
import torch

x = torch.tensor([0.0, 0.0], requires_grad=True)
y = x.sigmoid()
y += 1
y.sum().backward()
