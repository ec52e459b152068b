import torch
from torch.autograd import Function


class Reverse(Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.clone()

    @staticmethod
    def backward(ctx, grad_output):
        return -ctx.strength * grad_output, None


x = torch.tensor(2.0, requires_grad=True)
Reverse.apply(x, 0.5).backward()
print(f"{x.grad = }")
