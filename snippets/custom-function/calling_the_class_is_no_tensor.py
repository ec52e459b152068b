import torch
from torch.autograd import Function


class Double(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 2


x = torch.tensor(3.0, requires_grad=True)
y = Double(x)
print(f"{isinstance(y, torch.Tensor) = }")
print(f"{isinstance(y, Double) = }")
print(f"{Double.apply(x) = }")
