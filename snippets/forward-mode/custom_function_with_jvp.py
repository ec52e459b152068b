import torch
from torch.autograd import Function, gradcheck
from torch.func import jvp


class Cube(Function):
    @staticmethod
    def forward(x):
        return x**3

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * grad_output

    @staticmethod
    def jvp(ctx, tangent):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * tangent


x = torch.tensor(2.0, dtype=torch.float64)
print(jvp(Cube.apply, (x,), (torch.ones_like(x),)))
print(gradcheck(Cube.apply, x.requires_grad_(), check_forward_ad=True))
