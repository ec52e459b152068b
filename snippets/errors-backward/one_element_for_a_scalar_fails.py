# raises: RuntimeError
import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
loss = x.sum()
loss.backward(torch.ones(1))
