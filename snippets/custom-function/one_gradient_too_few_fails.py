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
        return grad_output * ctx.factor, None


class TooFew(Scale):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor


x = torch.tensor([1.0, 2.0], requires_grad=True)
Scale.apply(x, 3.0).sum().backward()
print(f"{x.grad = }")
TooFew.apply(x, 3.0).sum().backward()
