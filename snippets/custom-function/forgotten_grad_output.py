import torch
from torch.autograd import Function


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 2 * x


x = torch.tensor(3.0, requires_grad=True)
Square.apply(x).backward()
print(f"{x.grad = }")

x.grad = None
(10 * Square.apply(x)).backward()
print(f"{x.grad = }")
