import torch
from torch.func import jacfwd, jacrev


def under_no_grad(x):
    with torch.no_grad():
        factor = x * 1
    return factor * x


def detached(x):
    return (x * 1).detach() * x


x = torch.tensor(3.0)
for f in (under_no_grad, detached):
    print(f"{f.__name__}: {jacrev(f)(x) = }, {jacfwd(f)(x) = }")
