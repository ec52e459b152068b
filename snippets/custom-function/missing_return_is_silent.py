import torch
from torch.autograd import Function


class Double(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad_output):
        grad_x = grad_output * 2


x = torch.tensor(3.0, requires_grad=True)
Double.apply(x).backward()
print(f"{x.grad = }")
