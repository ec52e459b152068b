import torch
from torch.func import jacfwd, jacrev
from torch.nn.functional import prelu


def f(x):
    return prelu(x, torch.tensor([0.25]))


for x in (torch.tensor([1.0]), torch.tensor([0.0])):
    print(f"{x.item()}: {jacrev(f)(x) = }, {jacfwd(f)(x) = }")
