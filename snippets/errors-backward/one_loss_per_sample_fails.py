# raises: RuntimeError
import torch

x = torch.tensor([1.0, 2.0, 3.0])
w = torch.tensor(2.0, requires_grad=True)
loss = w * x
loss.backward()
