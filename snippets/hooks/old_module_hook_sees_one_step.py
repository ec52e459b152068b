import torch
from torch import nn


class Triple(nn.Module):
    def forward(self, x):
        return (3 * x).exp()


def show(module, grad_input, grad_output):
    print(f"{grad_input = }")


for name in ("register_backward_hook", "register_full_backward_hook"):
    triple = Triple()
    getattr(triple, name)(show)
    x = torch.zeros(1, requires_grad=True)
    triple(x).backward()
print(f"{x.grad = }")
