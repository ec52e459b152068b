import torch

w = torch.tensor(2.0, requires_grad=True)
x = torch.tensor(3.0)
x.requires_grad_()
loss = w * x
print(f"{torch.autograd.grad(loss, x) = }")
