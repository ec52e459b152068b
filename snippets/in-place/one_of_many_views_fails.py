# raises: RuntimeError
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
first, second = y.unbind()
first += 1
