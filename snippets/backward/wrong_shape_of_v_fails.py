# raises: RuntimeError
import torch

x = torch.tensor([2.0, 3.0, 4.0], requires_grad=True)
y = torch.stack([x[0] * x[1], x[1] * x[2]])
y.backward(torch.ones_like(x))
