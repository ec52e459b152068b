# raises: RuntimeError
import torch

w = torch.tensor(2.0, requires_grad=True)
x = torch.tensor(3.0)
loss = w * x
torch.autograd.grad(loss, x)
