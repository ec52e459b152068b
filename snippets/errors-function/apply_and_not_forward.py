import torch
from torch.autograd import Function


class Reverse(Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad_output):
        return -grad_output


x = torch.tensor(2.0, requires_grad=True)
Reverse.apply(x).backward()
print(f"{x.grad = }")

x.grad = None
Reverse.forward(None, x).backward()
print(f"{x.grad = }")
