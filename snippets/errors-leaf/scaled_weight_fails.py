# raises: ValueError
import torch

w = torch.ones(2, requires_grad=True) * 0.5
torch.optim.SGD([w], lr=0.25)
