# raises: RuntimeError
import torch
from torch.autograd import Function


class Sum(Function):
    @staticmethod
    def forward(ctx, x):
        return x.sum()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = Sum.apply(x)
print(f"{y = }")
y.backward()
