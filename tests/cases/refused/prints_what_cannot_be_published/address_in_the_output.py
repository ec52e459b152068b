import torch

x = torch.ones(1, requires_grad=True)
print((x * 2).grad_fn)
