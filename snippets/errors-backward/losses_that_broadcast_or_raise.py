import torch
from torch.nn import functional

out = torch.tensor([[0.5], [0.5]])
y = torch.tensor([0.0, 1.0])
print(functional.poisson_nll_loss(out, y, reduction="none").shape)
try:
    functional.binary_cross_entropy(out, y)
except ValueError as error:
    print(error)
