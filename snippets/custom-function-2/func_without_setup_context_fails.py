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


x = torch.tensor(3.0, requires_grad=True)
print(f"{torch.autograd.grad(Square.apply(x), x) = }")
print(f"{torch.func.grad(torch.square)(x.detach()) = }")
torch.func.grad(Square.apply)(x.detach())
