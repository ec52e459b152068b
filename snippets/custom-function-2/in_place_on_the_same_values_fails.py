# raises: RuntimeError
import torch
from torch.autograd import Function


class Reverse(Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return -ctx.strength * grad_output, None


x = torch.ones(2, requires_grad=True)
y = Reverse.apply(x, 1.0)
print(f"{y + 1 = }")
y += 1
