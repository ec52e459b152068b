# raises: RuntimeError
import torch
from torch.autograd import Function


class Square(Function):
    @staticmethod
    def forward(x):
        return x**2

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 2 * x


class Mapped(Square):
    generate_vmap_rule = True


x = torch.tensor([1.0, 2.0, 3.0])
print(f"{torch.func.grad(Square.apply)(x[2]) = }")
print(f"{torch.vmap(Mapped.apply)(x) = }")
print(f"{torch.vmap(torch.func.grad(Mapped.apply))(x) = }")
torch.vmap(Square.apply)(x)
