# raises: RuntimeError
import torch

x = torch.tensor(3.0, requires_grad=True)
loss = x**2
loss.backward()
loss.backward()
