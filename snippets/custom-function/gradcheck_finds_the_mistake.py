# raises: GradcheckError
import torch
from torch.autograd import Function, gradcheck


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 2 * x


class Forgetful(Square):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 2 * x


x = torch.tensor([1.0, 2.0], dtype=torch.double, requires_grad=True)
print(f"{gradcheck(Square.apply, (x,)) = }")
gradcheck(Forgetful.apply, (x,))
