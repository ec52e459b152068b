# raises: RuntimeError
import torch
from torch.autograd import Function


class Scale(Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor


x = torch.tensor(2.0, requires_grad=True)
Scale.apply(x, 3.0).backward()
