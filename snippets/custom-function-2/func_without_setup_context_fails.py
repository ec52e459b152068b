# raises: RuntimeError
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
        return grad_output * 2 * x


x = torch.tensor([1.0, 2.0, 3.0])
y = Square.apply(x.clone().requires_grad_())
print(f"{y = }")
torch.func.grad(Square.apply)(x[2])
