import torch
from torch.autograd import Function, gradcheck


class Double(Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, grad_output):
        return 2 * grad_output


x = torch.ones(2, dtype=torch.float64, requires_grad=True)
print(f"{gradcheck(Double.apply, x) = }")
