# raises: RuntimeError
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
with torch.no_grad():
    head = y[:1]
head *= 2
