import torch
from torch.autograd import Function


class FirstTwo(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.shape = x.shape
        return x[:2] * 5

    @staticmethod
    def backward(ctx, grad_output):
        grad_x = grad_output.new_zeros(ctx.shape)
        grad_x[:2] = grad_output * 5
        return grad_x


x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
FirstTwo.apply(x).sum().backward()
print(f"{x.grad = }")
