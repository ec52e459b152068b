# raises: RuntimeError
import torch

x = torch.tensor(2.0, requires_grad=True)
c = torch.tensor(3.0)
loss = c * x
torch.autograd.grad(loss, [x, c])
