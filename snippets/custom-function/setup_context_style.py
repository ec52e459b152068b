import torch
from torch.autograd import Function, gradcheck


class Scale(Function):
    @staticmethod
    def forward(x, factor):
        return x * factor

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, factor = inputs
        ctx.factor = factor

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor, None


x = torch.tensor([1.0, 2.0], dtype=torch.double, requires_grad=True)
Scale.apply(x, 3.0).sum().backward()
print(f"{x.grad = }")
print(f"{gradcheck(Scale.apply, (x, 3.0)) = }")
