# raises: RuntimeError
import torch
from torch.autograd import Function, grad
from torch.autograd.function import once_differentiable


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 2 * x


x = torch.tensor(3.0, requires_grad=True)
y = Square.apply(x) ** 2
(g,) = grad(y, x, create_graph=True)
print(f"{g = }")
g.backward()
